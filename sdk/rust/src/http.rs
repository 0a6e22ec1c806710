//! Requests over HTTP, to the hosts that the operator granted.
//!
//! ```
//! use std::time::Duration;
//! use toolhost_sdk::http::{self, Fake, Reply, Request};
//! use toolhost_sdk::serde_json::{Value, json};
//!
//! fn title(id: u32) -> Result<String, http::Error> {
//!     let response = Request::get(format!("https://api.example.com/books/{id}"))
//!         .header("authorization", "Bearer {{secret:books-token}}")
//!         .timeout(Duration::from_secs(10))
//!         .send()?;
//!     let book: Value = response.json(64 * 1024)?;
//!     Ok(book["title"].as_str().unwrap_or("untitled").to_owned())
//! }
//!
//! // A unit test plays the other side.
//! let network = Fake::new(|_| Ok(Reply::json(json!({ "title": "Dune" }))));
//! assert_eq!(title(7)?, "Dune");
//! assert_eq!(network.sent()[0].url, "https://api.example.com/books/7");
//! # Ok::<(), http::Error>(())
//! ```
//!
//! The plugin never holds a secret: `{{secret:NAME}}` in a header is replaced by the
//! host when the request leaves. Nothing is unpacked and no cookie is kept. A
//! redirect is the answer unless [`Request::max_redirects`] says otherwise; each hop
//! is then a request that the host judges anew, and what may hold a credential does
//! not follow to another origin.
//!
//! # Layout
//!
//! | module | noun |
//! |---|---|
//! | `request` | [`Request`]: what is asked for |
//! | `hop`, `redirect` | one exchange, and the one that follows from it |
//! | `response`, `headers` | [`Response`]: what comes back |
//! | `error` | [`Error`]: why nothing did, and what would help |
//! | `deadline` | how long all of it may take |
//! | `wasi`, `bindings` | the host |
//! | `fake` | [`Fake`]: the other side in a unit test |

#[cfg(target_arch = "wasm32")]
mod bindings;
mod deadline;
mod error;
#[cfg(not(target_arch = "wasm32"))]
mod fake;
mod headers;
mod hop;
mod redirect;
mod request;
mod response;
#[cfg(target_arch = "wasm32")]
mod wasi;

pub use error::{Error, ErrorKind};
#[cfg(not(target_arch = "wasm32"))]
pub use fake::{Fake, Reply, Sent};
pub use headers::Headers;
pub use request::Request;
pub use response::{Part, Response};
pub use url::Url;

#[cfg(not(target_arch = "wasm32"))]
use fake as live;
#[cfg(target_arch = "wasm32")]
use wasi as live;

/// The head of a response, and where its body comes from.
struct Answer {
    status: u16,
    headers: Headers,
    body: live::Body,
}
