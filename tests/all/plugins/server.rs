//! A server on the loopback that a test scripts: it answers each request by a
//! function, or speaks bytes that no honest server would.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

use serde_json::Value;

/// A server; its threads end with the tests.
pub(super) struct Server {
    port: u16,
    seen: Arc<Mutex<Vec<Request>>>,
}

/// What it was sent.
#[derive(Debug, Clone, Default)]
pub(super) struct Request {
    pub(super) method: String,
    /// With its query.
    pub(super) path: String,
    headers: Vec<(String, String)>,
    pub(super) body: Vec<u8>,
}

impl Request {
    pub(super) fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| &**value)
    }

    /// The method and the path.
    pub(super) fn line(&self) -> String {
        format!("{} {}", self.method, self.path)
    }

    pub(super) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }
}

/// What it answers.
#[derive(Debug, Clone)]
pub(super) struct Answer {
    status: u16,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
}

impl Answer {
    pub(super) fn new(content_type: &str, body: impl Into<Vec<u8>>) -> Self {
        Self {
            status: 200,
            headers: vec![("content-type".into(), content_type.into())],
            body: body.into(),
        }
    }

    pub(super) fn html(body: &str) -> Self {
        Self::new("text/html; charset=utf-8", body)
    }

    pub(super) fn json(body: &Value) -> Self {
        Self::new("application/json; charset=utf-8", body.to_string())
    }

    pub(super) fn redirect(to: impl Into<String>) -> Self {
        Self::html("moved").status(302).header("location", to)
    }

    pub(super) fn status(mut self, status: u16) -> Self {
        self.status = status;
        self
    }

    pub(super) fn header(mut self, name: &str, value: impl Into<String>) -> Self {
        self.headers.push((name.into(), value.into()));
        self
    }

    fn bytes(&self) -> Vec<u8> {
        let mut head = format!(
            "HTTP/1.1 {} -\r\nconnection: close\r\ncontent-length: {}\r\n",
            self.status,
            self.body.len()
        );
        for (name, value) in &self.headers {
            head.extend([name, ": ", value, "\r\n"]);
        }
        [head.as_bytes(), b"\r\n", &self.body].concat()
    }
}

impl Server {
    /// Answers each request.
    pub(super) fn answering(answer: impl Fn(&Request) -> Answer + Send + Sync + 'static) -> Self {
        Self::speaking(move |request, stream| {
            // Whoever does not read on has what it wants.
            let _ = stream.write_all(&answer(request).bytes());
        })
    }

    /// Speaks for itself once a request is there.
    pub(super) fn speaking(
        speak: impl Fn(&Request, &mut TcpStream) + Send + Sync + 'static,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let seen = Arc::new(Mutex::new(Vec::new()));
        let (speak, noted) = (Arc::new(speak), Arc::clone(&seen));
        thread::spawn(move || {
            for stream in listener.incoming() {
                let (speak, noted) = (Arc::clone(&speak), Arc::clone(&noted));
                thread::spawn(move || {
                    let mut stream = stream.unwrap();
                    if let Some(request) = read(&stream) {
                        noted.lock().unwrap().push(request.clone());
                        speak(&request, &mut stream);
                    }
                });
            }
        });
        Self { port, seen }
    }

    /// A URL on it.
    pub(super) fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    /// The flag that lets a plugin send it requests with these methods.
    pub(super) fn grant(&self, methods: &str) -> [String; 2] {
        let grant = format!("{methods} {}", self.url(""));
        ["--allow-private-host".into(), grant]
    }

    /// What it was sent so far.
    pub(super) fn seen(&self) -> Vec<Request> {
        self.seen.lock().unwrap().clone()
    }
}

/// Reads a request whose body, if any, has a length.
fn read(stream: &TcpStream) -> Option<Request> {
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    reader.read_line(&mut line).ok()?;
    let mut words = line.split_whitespace();
    let mut request = Request {
        method: words.next()?.to_owned(),
        path: words.next()?.to_owned(),
        ..Request::default()
    };
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        let Some((name, value)) = line.trim_end().split_once(": ") else {
            break;
        };
        let name = name.to_ascii_lowercase();
        request.headers.push((name, value.to_owned()));
    }
    let length = request.header("content-length").unwrap_or("0");
    request.body = vec![0; length.parse().ok()?];
    reader.read_exact(&mut request.body).ok()?;
    Some(request)
}
