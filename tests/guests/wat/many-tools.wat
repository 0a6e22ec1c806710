;; template: plugin
;; A thousand tools, `tool_000` to `tool_999`, all of them sound. Each returns the
;; number `n` it is given.
(core module $module
  (import "library" "memory" (memory 1))
  (import "library" "realloc" (func $realloc (param i32 i32 i32 i32) (result i32)))
  (import "library" "define" (func $define (param i32 i32 i32)))
  (import "library" "definitions" (func $definitions (param i32 i32) (result i32)))
  (import "library" "number" (func $number (param i32) (result i32)))
  (import "library" "done-number" (func $done-number (param i32) (result i32)))
  (import "library" "post-return" (func $post-return (param i32)))
  (export "memory" (memory 0))
  (export "realloc" (func $realloc))
  (export "post-return" (func $post-return))
  (data (i32.const 8192) "tool_")

  (func $digit (param $at i32) (param $number i32)
    (i32.store8 (local.get $at)
      (i32.add (i32.rem_u (local.get $number) (i32.const 10)) (i32.const 48))))

  ;; Names lie 8 bytes apart from 8200 on. The definitions come after them, where
  ;; arguments would be handed out; `describe` has none.
  (func (export "describe") (result i32)
    (local $tool i32) (local $name i32)
    (loop $next
      (local.set $name (i32.add (i32.const 8200) (i32.mul (local.get $tool) (i32.const 8))))
      (memory.copy (local.get $name) (i32.const 8192) (i32.const 5))
      (call $digit (i32.add (local.get $name) (i32.const 5))
        (i32.div_u (local.get $tool) (i32.const 100)))
      (call $digit (i32.add (local.get $name) (i32.const 6))
        (i32.div_u (local.get $tool) (i32.const 10)))
      (call $digit (i32.add (local.get $name) (i32.const 7)) (local.get $tool))
      (call $define
        (i32.add (i32.const 20480) (i32.mul (local.get $tool) (i32.const 100)))
        (local.get $name) (i32.const 8))
      (local.set $tool (i32.add (local.get $tool) (i32.const 1)))
      (br_if $next (i32.lt_u (local.get $tool) (i32.const 1000))))
    (call $definitions (i32.const 20480) (i32.const 1000)))

  (func (export "execute") (param $call i32) (result i32)
    (call $done-number (call $number (local.get $call)))))
(core instance $main (instantiate $module (with "library" (instance $library))))
