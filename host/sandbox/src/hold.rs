//! Sandboxes that are made and not called: for measuring what one costs in memory.

use toolhost_policy::Limits;
use wasmtime::Store;

use crate::call::{self, Budget, Invocation};
use crate::failure::Failure;
use crate::plugin::Plugin;
use crate::state::CallState;

/// Sandboxes of a plugin, alive until they are dropped.
pub struct Held(Vec<Store<CallState>>);

impl Held {
    /// How many they are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Plugin {
    /// Makes sandboxes with nothing granted and keeps them, up to `count` or as
    /// many as the host has places for.
    ///
    /// # Errors
    ///
    /// When a start function of the plugin traps.
    pub async fn hold(&self, count: usize) -> Result<Held, Failure> {
        let mut held = Vec::new();
        for _ in 0..count {
            let budget = Budget {
                limits: Limits::default(),
                ..Budget::default()
            };
            let Some(store) = call::hold(&self.inner, &budget, Invocation::default()).await? else {
                break;
            };
            held.push(store);
        }
        Ok(Held(held))
    }
}
