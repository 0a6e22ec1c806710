;; Exports the right interface without `execute`.
(component
  (core module $module (func (export "describe") (result i32) (i32.const 0)))
  (core instance $main (instantiate $module))
  (func $describe (result u32) (canon lift (core func $main "describe")))
  (instance $tools (export "describe" (func $describe)))
  (export "toolhost:plugin/tools@0.1.0" (instance $tools)))
