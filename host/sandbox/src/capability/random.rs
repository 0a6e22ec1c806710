//! `wasi:random`: on for everybody, and bounded. What a guest asks for at once
//! is allocated by the host, so the size is checked before it is made.

use toolhost_tool::LimitHit;
use wasmtime::component::{HasData, Linker};
use wasmtime_wasi::p2::bindings::random::{insecure, insecure_seed, random};
use wasmtime_wasi::random::{WasiRandom, WasiRandomCtx};

use crate::state::{CallState, Stop};

struct Bounded;

/// The random source while a host function works on it.
struct View<'a> {
    source: &'a mut WasiRandomCtx,
    allowed: u64,
    stop: &'a mut Option<Stop>,
}

impl HasData for Bounded {
    type Data<'a> = View<'a>;
}

pub(crate) fn add_to_linker(linker: &mut Linker<CallState>) -> wasmtime::Result<()> {
    random::add_to_linker::<_, Bounded>(linker, view)?;
    insecure::add_to_linker::<_, Bounded>(linker, view)?;
    insecure_seed::add_to_linker::<_, WasiRandom>(linker, |state| state.wasi.random())
}

fn view(state: &mut CallState) -> View<'_> {
    View {
        source: state.wasi.random(),
        allowed: state.limits.random_bytes,
        stop: &mut state.stop,
    }
}

impl View<'_> {
    fn check(&mut self, used: u64) -> wasmtime::Result<()> {
        let allowed = self.allowed;
        if used <= allowed {
            return Ok(());
        }
        let hit = LimitHit {
            name: "random-bytes".into(),
            allowed,
            used,
        };
        *self.stop = Some(Stop::HostCalls(hit));
        Err(wasmtime::Error::msg("too many random bytes at once"))
    }
}

impl random::Host for View<'_> {
    fn get_random_bytes(&mut self, len: u64) -> wasmtime::Result<Vec<u8>> {
        self.check(len)?;
        random::Host::get_random_bytes(self.source, len)
    }

    fn get_random_u64(&mut self) -> wasmtime::Result<u64> {
        random::Host::get_random_u64(self.source)
    }
}

impl insecure::Host for View<'_> {
    fn get_insecure_random_bytes(&mut self, len: u64) -> wasmtime::Result<Vec<u8>> {
        self.check(len)?;
        insecure::Host::get_insecure_random_bytes(self.source, len)
    }

    fn get_insecure_random_u64(&mut self) -> wasmtime::Result<u64> {
        insecure::Host::get_insecure_random_u64(self.source)
    }
}
