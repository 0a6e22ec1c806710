//! `wasi:http`: linked, because JavaScript and Python plugins import it whether
//! they use it or not, and refused. Nothing in this version grants network.

use http::{Request, Response};
use toolhost_tool::{Denial, truncate_chars};
use wasmtime_wasi_http::{Error, RequestOptions, WasiBody, WasiHttpHooks};

type Sending = Box<dyn Future<Output = Result<(), Error>> + Send>;

/// Most refused requests that are remembered; a guest may try without end.
const MAX_RECORDED: usize = 32;

/// Longest name of a host that is remembered; a guest makes it up.
const MAX_TARGET_CHARS: usize = 300;

/// Refuses every request and remembers what was refused.
#[derive(Default)]
pub(crate) struct DenyHttp {
    pub(crate) denials: Vec<Denial>,
}

impl WasiHttpHooks for DenyHttp {
    fn send_request(
        &mut self,
        request: Request<WasiBody>,
        _options: Option<RequestOptions>,
        _sending: Sending,
    ) -> Box<dyn Future<Output = Result<(Response<WasiBody>, Sending), Error>> + Send> {
        let uri = request.uri();
        let denial = Denial {
            capability: "http".into(),
            // The path may carry secrets; who was called is enough.
            target: truncate_chars(
                format!(
                    "{}://{}",
                    uri.scheme_str().unwrap_or("https"),
                    uri.host().unwrap_or_default()
                ),
                MAX_TARGET_CHARS,
            ),
            allow_with: None,
        };
        if self.denials.len() < MAX_RECORDED && !self.denials.contains(&denial) {
            self.denials.push(denial);
        }
        Box::new(async { Err(Error::HttpRequestDenied) })
    }
}
