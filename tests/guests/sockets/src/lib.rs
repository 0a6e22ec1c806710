//! Imports `wasi:sockets`, which is not there unless it was granted.

use guest_support::{Answer, Request, Tool, said, structured};
use serde_json::Value;
use std::net::{TcpListener, TcpStream, ToSocketAddrs, UdpSocket};

const ADDRESS: &str = r#"{"address":{"type":"string","default":"127.0.0.1:9"}}"#;

const TOOLS: &[Tool] = &[
    Tool {
        name: "connect",
        description: "Opens a TCP connection to `address`.",
        properties: ADDRESS,
        run: |request| answer(TcpStream::connect(address(request)).map(|_| Value::Null)),
    },
    Tool {
        name: "listen",
        description: "Listens for TCP connections on `address`.",
        properties: ADDRESS,
        run: |request| answer(TcpListener::bind(address(request)).map(|_| Value::Null)),
    },
    Tool {
        name: "send",
        description: "Sends a datagram to `address`.",
        properties: ADDRESS,
        run: |request| {
            let sent = UdpSocket::bind("0.0.0.0:0")
                .and_then(|socket| socket.send_to(b"hello", address(request)));
            answer(sent.map(Value::from))
        },
    },
    Tool {
        name: "resolve",
        description: "Looks up `address`.",
        properties: ADDRESS,
        run: |request| {
            answer(
                address(request)
                    .to_socket_addrs()
                    .map(|found| found.count().into()),
            )
        },
    },
];

fn address(request: &Request) -> &str {
    request.text("address", "127.0.0.1:9")
}

fn answer(result: std::io::Result<Value>) -> Answer {
    structured(said(result.map_err(|error| error.kind())))
}

guest_support::plugin!(TOOLS);
