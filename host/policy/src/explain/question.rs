//! What an operator asks.

/// What an operator asks about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Question<'a> {
    /// May it send this request?
    Request {
        /// Its method.
        method: &'a str,
        /// Its URL.
        url: &'a str,
    },
    /// May it open this file?
    Path {
        /// Its path in the sandbox.
        path: &'a str,
        /// To write to it, and not only to read.
        write: bool,
    },
    /// Does it see this environment variable?
    Env(&'a str),
    /// May it call this tool?
    Tool(&'a str),
    /// Does it get this value of the configuration?
    ConfigKey(&'a str),
    /// May it have this secret put into a request?
    Secret {
        /// The name of the secret.
        name: &'a str,
        /// The method and the URL of the request; any when absent.
        request: Option<(&'a str, &'a str)>,
    },
    /// May it keep keys and values?
    Storage,
    /// May it read the transcript?
    Messages,
}
