;; template: plugin
;; The host cannot hand over the arguments: the function that gives it memory traps.
(core module $module
  (import "library" "memory" (memory 1))
  (import "library" "define" (func $define (param i32 i32 i32)))
  (import "library" "definitions" (func $definitions (param i32 i32) (result i32)))
  (import "library" "number" (func $number (param i32) (result i32)))
  (import "library" "done-number" (func $done-number (param i32) (result i32)))
  (import "library" "post-return" (func $post-return (param i32)))
  (export "memory" (memory 0))
  (export "post-return" (func $post-return))
  (data (i32.const 8192) "never_reached")
  (func (export "describe") (result i32)
    (call $define (i32.const 16384) (i32.const 8192) (i32.const 13))
    (call $definitions (i32.const 16384) (i32.const 1)))
  (func (export "realloc") (param i32 i32 i32 i32) (result i32) unreachable)
  (func (export "execute") (param $call i32) (result i32)
    (call $done-number (call $number (local.get $call)))))
(core instance $main (instantiate $module (with "library" (instance $library))))
