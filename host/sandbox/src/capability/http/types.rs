//! `wasi:http/types` as wasmtime-wasi-http has it, with two things put right: a body
//! that breaks says why, and lists of headers are bounded as a whole. Each list has a
//! limit there, and a guest may hold ten thousand lists.

use http::HeaderMap;
use toolhost_tool::LimitHit;
use wasmtime::StoreContextMut;
use wasmtime::component::{Linker, LinkerInstance, Resource};
use wasmtime_wasi_http::p2::bindings::http::types::{
    ErrorCode, HeaderError, Host, HostFields, TlsAlertReceivedPayload,
};
use wasmtime_wasi_http::p2::{self, HeaderResult};
use wasmtime_wasi_http::{Error, FieldMap, WasiHttpView};

use super::outgoing;
use crate::state::{CallState, Stop};

/// The interface, in the version that wasmtime-wasi-http defines.
const INTERFACE: &str = "wasi:http/types@0.2.12";

/// How much all lists of headers of a call may hold together, in full lists. Those
/// that were dropped count too: no tool needs so many.
const MAX_FULL_LISTS: u64 = 256;

type Store<'a> = StoreContextMut<'a, CallState>;
type Fields = Resource<FieldMap>;
type Told<T> = wasmtime::Result<(Result<T, HeaderError>,)>;

/// Links `wasi:http`, without the server's side.
pub(crate) fn add_to_linker(linker: &mut Linker<CallState>) -> wasmtime::Result<()> {
    p2::add_only_http_to_linker_async(linker)?;
    linker.allow_shadowing(true);
    let put_right = linker.instance(INTERFACE).and_then(put_right);
    linker.allow_shadowing(false);
    put_right
}

fn put_right(mut types: LinkerInstance<'_, CallState>) -> wasmtime::Result<()> {
    types.func_wrap(
        "http-error-code",
        |mut store: Store<'_>, (error,): (Resource<wasmtime::Error>,)| {
            let http = store.data_mut().http();
            let error = http.table.get(&error)?;
            let known = error.downcast_ref().cloned();
            Ok((known.or_else(|| error.downcast_ref().map(code)),))
        },
    )?;
    types.func_wrap(
        "[static]fields.from-list",
        |mut store: Store<'_>, (entries,): (Vec<(String, Vec<u8>)>,)| -> Told<Fields> {
            let state = store.data_mut();
            let bytes = entries.iter().map(|(name, value)| field(name, value));
            state.take_field_bytes(bytes.sum())?;
            let made = HostFields::from_list(&mut state.http(), entries);
            state.header_result(made)
        },
    )?;
    types.func_wrap(
        "[method]fields.set",
        |mut store: Store<'_>,
         (fields, name, values): (Fields, String, Vec<Vec<u8>>)|
         -> Told<()> {
            let state = store.data_mut();
            let bytes = values.iter().map(|value| field(&name, value));
            state.take_field_bytes(bytes.sum())?;
            let set = HostFields::set(&mut state.http(), fields, name, values);
            state.header_result(set)
        },
    )?;
    types.func_wrap(
        "[method]fields.append",
        |mut store: Store<'_>, (fields, name, value): (Fields, String, Vec<u8>)| -> Told<()> {
            let state = store.data_mut();
            state.take_field_bytes(field(&name, &value))?;
            let appended = HostFields::append(&mut state.http(), fields, name, value);
            state.header_result(appended)
        },
    )?;
    types.func_wrap(
        "[method]fields.clone",
        |mut store: Store<'_>, (fields,): (Fields,)| {
            let state = store.data_mut();
            // Copied when it is changed, which cannot be seen from here.
            let map: &HeaderMap = state.table.get(&fields)?;
            let (count, bytes) = outgoing::size(map);
            state.take_field_bytes(bytes + count * OVERHEAD)?;
            Ok((HostFields::clone(&mut state.http(), fields)?,))
        },
    )
}

/// What a field costs beside its bytes.
const OVERHEAD: u64 = 64;

fn field(name: &str, value: &[u8]) -> u64 {
    (name.len() + value.len()) as u64 + OVERHEAD
}

impl CallState {
    fn take_field_bytes(&mut self, bytes: u64) -> wasmtime::Result<()> {
        let allowed = self.limits.http_fields.saturating_mul(MAX_FULL_LISTS);
        let used = self.http_hooks.take_field_bytes(bytes);
        if used > allowed {
            return Err(self.too_many_fields(allowed, used));
        }
        Ok(())
    }

    /// What the guest is told. A list that is full is a trap in wasmtime-wasi-http,
    /// and here a limit with its name.
    fn header_result<T>(&mut self, result: HeaderResult<T>) -> Told<T> {
        let error = match result {
            Ok(value) => return Ok((Ok(value),)),
            Err(error) => error,
        };
        if let Ok(error) = self.http().convert_header_error(error) {
            return Ok((Err(error),));
        }
        let allowed = self.limits.http_fields;
        Err(self.too_many_fields(allowed, allowed.saturating_add(1)))
    }

    fn too_many_fields(&mut self, allowed: u64, used: u64) -> wasmtime::Error {
        self.stop = Some(Stop::HostCalls(LimitHit {
            name: "http-fields".into(),
            allowed,
            used,
        }));
        wasmtime::Error::msg("too many bytes of headers")
    }
}

/// The code of an error that a response's body breaks with.
fn code(error: &Error) -> ErrorCode {
    match error {
        Error::HttpRequestDenied => ErrorCode::HttpRequestDenied,
        Error::HttpRequestBodySize(size) => ErrorCode::HttpRequestBodySize(*size),
        Error::HttpResponseBodySize(size) => ErrorCode::HttpResponseBodySize(*size),
        Error::HttpResponseHeaderSectionSize(size) => {
            ErrorCode::HttpResponseTrailerSectionSize(*size)
        }
        Error::HttpResponseIncomplete => ErrorCode::HttpResponseIncomplete,
        Error::HttpProtocolError => ErrorCode::HttpProtocolError,
        Error::ConnectionReadTimeout => ErrorCode::ConnectionReadTimeout,
        Error::ConnectionTerminated => ErrorCode::ConnectionTerminated,
        Error::TlsProtocolError => ErrorCode::TlsProtocolError,
        Error::TlsCertificateError => ErrorCode::TlsCertificateError,
        Error::TlsAlertReceived {
            alert_id,
            alert_message,
        } => ErrorCode::TlsAlertReceived(TlsAlertReceivedPayload {
            alert_id: *alert_id,
            alert_message: alert_message.clone(),
        }),
        _ => ErrorCode::InternalError(None),
    }
}
