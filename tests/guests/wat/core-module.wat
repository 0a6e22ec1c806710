;; A module, not a component: what `wasm32-unknown-unknown` or an old toolchain makes.
(module
  (memory (export "memory") 1)
  (func (export "describe") (result i32) (i32.const 0)))
