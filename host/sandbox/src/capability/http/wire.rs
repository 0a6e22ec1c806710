//! The connection of one request, with all that goes over it counted: below HTTP, so
//! that headers, framing and interim responses count too, and above TLS.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::task::{Context, Poll, ready};
use std::time::{Duration, Instant};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use super::tally::Tally;
use crate::ledger::Act;

/// A connection, over TLS or not.
pub(super) trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Unpin> Stream for T {}

/// A connection that counts.
pub(super) struct Wire {
    stream: Box<dyn Stream>,
    tally: Arc<Tally>,
    progress: Arc<Progress>,
}

impl Wire {
    pub(super) fn new(stream: Box<dyn Stream>, tally: Arc<Tally>, progress: Arc<Progress>) -> Self {
        Self {
            stream,
            tally,
            progress,
        }
    }
}

impl AsyncRead for Wire {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        ready!(Pin::new(&mut self.stream).poll_read(cx, buffer))?;
        let read = buffer.filled().len() - before;
        self.progress.received(read);
        Poll::Ready(self.tally.receive(read).map_err(io::Error::other))
    }
}

impl AsyncWrite for Wire {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.tally.send(bytes.len()).map_err(io::Error::other)?;
        self.progress.begin();
        let polled = Pin::new(&mut self.stream).poll_write(cx, bytes);
        let written = match &polled {
            Poll::Ready(Ok(written)) => *written,
            _ => 0,
        };
        self.tally.unsent(bytes.len() - written);
        self.progress.sent(written);
        polled
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

/// How far a request has come, and its line in the ledger: nothing has happened
/// until the first byte is about to leave.
pub(super) struct Progress {
    act: Act,
    started: Instant,
    begun: AtomicBool,
    sent: AtomicU64,
    received: AtomicU64,
    /// When a byte last left, in milliseconds from the start.
    last: AtomicU64,
}

impl Progress {
    pub(super) fn new(act: Act) -> Self {
        act.did_not_happen();
        Self {
            act,
            started: Instant::now(),
            begun: AtomicBool::new(false),
            sent: AtomicU64::new(0),
            received: AtomicU64::new(0),
            last: AtomicU64::new(0),
        }
    }

    /// The request is answered, so it has happened.
    pub(super) fn answered(&self) {
        self.act.confirm();
    }

    /// When a byte last left; the start, if none has.
    pub(super) fn last_sent(&self) -> Instant {
        self.started + Duration::from_millis(self.last.load(Ordering::Relaxed))
    }

    /// Bytes that came in.
    pub(super) fn bytes_received(&self) -> u64 {
        self.received.load(Ordering::Relaxed)
    }

    fn begin(&self) {
        if !self.begun.swap(true, Ordering::Relaxed) {
            self.act.may_have_happened();
        }
    }

    fn sent(&self, bytes: usize) {
        if bytes == 0 {
            return;
        }
        let now = u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX);
        self.last.store(now, Ordering::Relaxed);
        self.sent.fetch_add(bytes as u64, Ordering::Relaxed);
        self.act.add_bytes(bytes as u64);
    }

    fn received(&self, bytes: usize) {
        self.received.fetch_add(bytes as u64, Ordering::Relaxed);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.sent.load(Ordering::Relaxed) == 0 {
            self.act.did_not_happen();
        }
    }
}
