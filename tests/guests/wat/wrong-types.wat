;; Exports the right interface with functions of other types than the contract's.
(component
  (core module $module
    (func (export "describe") (result i32) (i32.const 0))
    (func (export "execute") (param i32) (result i32) (local.get 0)))
  (core instance $main (instantiate $module))
  (func $describe (result u32) (canon lift (core func $main "describe")))
  (func $execute (param "call" u32) (result u32) (canon lift (core func $main "execute")))
  (instance $tools (export "describe" (func $describe)) (export "execute" (func $execute)))
  (export "toolhost:plugin/tools@0.1.0" (instance $tools)))
