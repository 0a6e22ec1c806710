//! `toolhost:plugin/secrets`: secrets that the operator reveals to a plugin with
//! `reveal = true`. What the plugin is handed is still taken out of all that
//! leaves its sandbox.

use toolhost_policy::SecretRefusal;
use toolhost_tool::{Denial, truncate_chars};
use wasmtime::component::{HasSelf, Linker};

use crate::bindings::secrets::{Host, SecretError};
use crate::state::CallState;

/// Longest name that is remembered; a guest makes it up.
const MAX_NAME_CHARS: usize = 100;

pub(crate) fn add_to_linker(linker: &mut Linker<CallState>) -> wasmtime::Result<()> {
    crate::bindings::secrets::add_to_linker::<_, HasSelf<CallState>>(linker, |state| state)
}

impl Host for CallState {
    fn get_token(&mut self, name: String) -> wasmtime::Result<Result<String, SecretError>> {
        let name = truncate_chars(name, MAX_NAME_CHARS);
        // During `describe` there are none.
        let revealed = match &self.secrets {
            Some(secrets) => secrets.reveal(&name).map(|value| value.expose().to_owned()),
            None => Err(SecretRefusal::NotGranted { name: name.clone() }),
        };
        Ok(revealed.map_err(|refusal| {
            self.run.deny(Denial {
                capability: "secrets".into(),
                target: name,
                allow_with: refusal.allow_with(),
            });
            SecretError::Denied(refusal.to_string())
        }))
    }
}
