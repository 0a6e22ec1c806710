;; A plugin for version 0.9.0 of the contract, which does not exist.
(component
  (core module $module (func (export "describe") (result i32) (i32.const 0)))
  (core instance $main (instantiate $module))
  (func $describe (result u32) (canon lift (core func $main "describe")))
  (instance $tools (export "describe" (func $describe)))
  (export "toolhost:plugin/tools@0.9.0" (instance $tools)))
