//! A stream into a file: every piece is counted before it is written.

use std::sync::Arc;

use bytes::Bytes;
use wasmtime_wasi::p2::{DynOutputStream, OutputStream, Pollable, StreamError, StreamResult};

use super::open::Writes;
use super::usage::Usage;

/// A stream into a file, counted.
pub(super) struct FileStream {
    inner: DynOutputStream,
    file: Arc<std::fs::File>,
    /// Where the next piece goes; `None`: to the end.
    at: Option<u64>,
    usage: Arc<Usage>,
    writes: Writes,
    /// Whether a piece is on its way.
    waiting: bool,
}

impl FileStream {
    pub(super) fn new(
        inner: DynOutputStream,
        file: Arc<std::fs::File>,
        at: Option<u64>,
        usage: Arc<Usage>,
        writes: Writes,
    ) -> Self {
        Self {
            inner,
            file,
            at,
            usage,
            writes,
            waiting: false,
        }
    }

    fn reserve(&mut self, len: usize) -> StreamResult<()> {
        let failed = |error: wasmtime::Error| StreamError::LastOperationFailed(error);
        let size = self.file.metadata().map_err(|error| failed(error.into()))?;
        let (size, len) = (size.len(), len as u64);
        let start = self.at.unwrap_or(size);
        self.usage
            .reserve(self.writes.path(), size, start, len)
            .map_err(|error| failed(error.into()))?;
        self.at = self.at.map(|at| at.saturating_add(len));
        Ok(())
    }

    fn arrived(&mut self) {
        if std::mem::take(&mut self.waiting) {
            self.writes.confirm();
        }
    }
}

#[async_trait::async_trait]
impl OutputStream for FileStream {
    fn write(&mut self, bytes: Bytes) -> StreamResult<()> {
        self.reserve(bytes.len())?;
        self.writes.begin(bytes.len());
        self.waiting = true;
        self.inner.write(bytes)
    }

    async fn blocking_write_and_flush(&mut self, bytes: Bytes) -> StreamResult<()> {
        // What is on its way counts for where the end is.
        self.inner.ready().await;
        self.reserve(bytes.len())?;
        self.writes.begin(bytes.len());
        self.waiting = true;
        self.inner.blocking_write_and_flush(bytes).await?;
        self.arrived();
        Ok(())
    }

    fn flush(&mut self) -> StreamResult<()> {
        self.inner.flush()
    }

    fn check_write(&mut self) -> StreamResult<usize> {
        let permit = self.inner.check_write()?;
        if permit > 0 {
            self.arrived();
        }
        Ok(permit)
    }

    async fn cancel(&mut self) {
        self.inner.ready().await;
        if matches!(self.inner.check_write(), Ok(permit) if permit > 0) {
            self.arrived();
        }
        self.inner.cancel().await;
    }
}

#[async_trait::async_trait]
impl Pollable for FileStream {
    async fn ready(&mut self) {
        self.inner.ready().await;
    }
}
