//! `wasi:config`: the values that the operator granted.

use wasmtime::component::{HasSelf, Linker};

use crate::bindings::config::{Error, Host, add_to_linker as add};
use crate::state::CallState;

pub(crate) fn add_to_linker(linker: &mut Linker<CallState>) -> wasmtime::Result<()> {
    add::<_, HasSelf<CallState>>(linker, |state| state)
}

impl Host for CallState {
    fn get(&mut self, key: String) -> wasmtime::Result<Result<Option<String>, Error>> {
        Ok(Ok(self.grants.config.get(&key).cloned()))
    }

    fn get_all(&mut self) -> wasmtime::Result<Result<Vec<(String, String)>, Error>> {
        let values = self.grants.config.iter();
        let copied = values.map(|(key, value)| (key.clone(), value.clone()));
        Ok(Ok(copied.collect()))
    }
}
