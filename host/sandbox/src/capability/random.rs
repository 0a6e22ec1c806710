//! `wasi:random`: on for everybody, and bounded. What a guest asks for at once
//! is allocated by the host, so the size is checked before it is made. For tests
//! of tools there is a source that gives the same numbers in every call.

use toolhost_tool::LimitHit;
use wasmtime::component::{HasData, Linker};
use wasmtime_wasi::p2::bindings::random::{insecure, insecure_seed, random};
use wasmtime_wasi::random::WasiRandomCtx;

use crate::state::{CallState, Stop};

struct Bounded;

/// The random source while a host function works on it.
struct View<'a> {
    source: &'a mut WasiRandomCtx,
    sequence: Option<&'a mut Sequence>,
    allowed: u64,
    stop: &'a mut Option<Stop>,
}

/// Numbers that look random and are the same in every call: `SplitMix64`. Nothing
/// that is to stay secret can be made of them.
#[derive(Default)]
pub(crate) struct Sequence(u64);

impl Sequence {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn bytes(&mut self, len: u64) -> Vec<u8> {
        let len = usize::try_from(len).unwrap_or(usize::MAX);
        let words = std::iter::from_fn(|| Some(self.next().to_le_bytes()));
        words.flatten().take(len).collect()
    }
}

impl HasData for Bounded {
    type Data<'a> = View<'a>;
}

pub(crate) fn add_to_linker(linker: &mut Linker<CallState>) -> wasmtime::Result<()> {
    random::add_to_linker::<_, Bounded>(linker, view)?;
    insecure::add_to_linker::<_, Bounded>(linker, view)?;
    insecure_seed::add_to_linker::<_, Bounded>(linker, view)
}

fn view(state: &mut CallState) -> View<'_> {
    View {
        source: state.wasi.random(),
        sequence: state.sequence.as_mut(),
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
        match &mut self.sequence {
            Some(sequence) => Ok(sequence.bytes(len)),
            None => random::Host::get_random_bytes(self.source, len),
        }
    }

    fn get_random_u64(&mut self) -> wasmtime::Result<u64> {
        match &mut self.sequence {
            Some(sequence) => Ok(sequence.next()),
            None => random::Host::get_random_u64(self.source),
        }
    }
}

impl insecure::Host for View<'_> {
    fn get_insecure_random_bytes(&mut self, len: u64) -> wasmtime::Result<Vec<u8>> {
        self.check(len)?;
        match &mut self.sequence {
            Some(sequence) => Ok(sequence.bytes(len)),
            None => insecure::Host::get_insecure_random_bytes(self.source, len),
        }
    }

    fn get_insecure_random_u64(&mut self) -> wasmtime::Result<u64> {
        match &mut self.sequence {
            Some(sequence) => Ok(sequence.next()),
            None => insecure::Host::get_insecure_random_u64(self.source),
        }
    }
}

impl insecure_seed::Host for View<'_> {
    fn insecure_seed(&mut self) -> wasmtime::Result<(u64, u64)> {
        match &mut self.sequence {
            Some(sequence) => Ok((sequence.next(), sequence.next())),
            None => insecure_seed::Host::insecure_seed(self.source),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sequence_is_the_same_every_time_and_does_not_repeat() {
        let (mut one, mut other) = (Sequence::default(), Sequence::default());
        let bytes = one.bytes(1_001);
        assert_eq!((bytes.len(), &bytes), (1_001, &other.bytes(1_001)));
        assert_ne!(bytes[..16], bytes[16..32]);
        assert_ne!(one.next(), one.next());
    }
}
