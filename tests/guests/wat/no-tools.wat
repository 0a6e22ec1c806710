;; A sound component that is no plugin: it exports one function of its own.
(component
  (core module $module (func (export "answer") (result i32) (i32.const 42)))
  (core instance $main (instantiate $module))
  (func $answer (result u32) (canon lift (core func $main "answer")))
  (export "answer" (func $answer)))
