//! Servers on the loopback, good and bad: each connection is handled by a script that
//! speaks bytes, so that a test can say what no honest library would.

use std::sync::{Arc, Mutex};

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

/// A server that ends with the test.
pub(super) struct Server {
    pub(super) port: u16,
    seen: Seen,
    task: JoinHandle<()>,
}

/// What a server was sent, a text for each request.
#[derive(Clone, Default)]
pub(super) struct Seen(Arc<Mutex<Vec<String>>>);

impl Seen {
    pub(super) fn note(&self, text: String) {
        self.0.lock().unwrap().push(text);
    }
}

impl Server {
    /// Handles each connection with `script`.
    pub(super) async fn start<S, F>(script: S) -> Self
    where
        S: Fn(TcpStream, Seen) -> F + Send + Sync + 'static,
        F: Future<Output = std::io::Result<()>> + Send + 'static,
    {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let seen = Seen::default();
        let noted = seen.clone();
        let task = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                // A script that fails was hung up on.
                tokio::spawn(script(stream, noted.clone()));
            }
        });
        Self { port, seen, task }
    }

    /// Reads a request with its body and answers with these bytes.
    pub(super) async fn answering(bytes: impl Into<Vec<u8>>) -> Self {
        let bytes: Arc<[u8]> = bytes.into().into();
        Self::start(move |mut stream, seen| {
            let bytes = Arc::clone(&bytes);
            async move {
                seen.note(read_request(&mut stream).await?);
                stream.write_all(&bytes).await?;
                stream.shutdown().await
            }
        })
        .await
    }

    /// Answers with a text.
    pub(super) async fn saying(text: &str) -> Self {
        Self::answering(ok(text)).await
    }

    /// A URL on it.
    pub(super) fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    /// What it was sent so far.
    pub(super) fn seen(&self) -> Vec<String> {
        self.seen.0.lock().unwrap().clone()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// A sound response.
pub(super) fn ok(body: &str) -> String {
    format!(
        "HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    )
}

/// Reads a request: its head, and as much of a body as `content-length` or the last
/// chunk says.
pub(super) async fn read_request(stream: &mut (impl AsyncRead + Unpin)) -> std::io::Result<String> {
    let mut bytes = Vec::new();
    let mut piece = [0; 4096];
    loop {
        let text = String::from_utf8_lossy(&bytes);
        if let Some(head) = text.find("\r\n\r\n") {
            let body = text.len() - head - 4;
            let declared = text[..head]
                .lines()
                .find_map(|line| line.strip_prefix("content-length: "))
                .map_or(0, |length| length.parse().unwrap());
            let chunked = text[..head].contains("transfer-encoding: chunked");
            if if chunked {
                text.ends_with("0\r\n\r\n")
            } else {
                body >= declared
            } {
                return Ok(text.into_owned());
            }
        }
        let read = stream.read(&mut piece).await?;
        if read == 0 {
            return Err(std::io::ErrorKind::UnexpectedEof.into());
        }
        bytes.extend_from_slice(&piece[..read]);
    }
}
