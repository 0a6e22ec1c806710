;; template: plugin
;; What no compiler writes: results that lie about memory, traps in their bare form,
;; and a `post-return` that misbehaves. One tool each; `raw_ok` shows that the rest
;; of the plugin is sound.
(core module $module
  (import "library" "memory" (memory 1))
  (import "library" "realloc" (func $realloc (param i32 i32 i32 i32) (result i32)))
  (import "library" "define" (func $define (param i32 i32 i32)))
  (import "library" "definitions" (func $definitions (param i32 i32) (result i32)))
  (import "library" "is" (func $is (param i32 i32 i32) (result i32)))
  (import "library" "done" (func $done (param i32 i32) (result i32)))
  (export "memory" (memory 0))
  (export "realloc" (func $realloc))

  ;; Names lie 32 bytes apart from 8192 on, the last one empty.
  (data (i32.const 8192) "raw_ok")
  (data (i32.const 8224) "bad_utf8")
  (data (i32.const 8256) "bad_pointer")
  (data (i32.const 8288) "bad_length")
  (data (i32.const 8320) "bad_discriminant")
  (data (i32.const 8352) "bad_alignment")
  (data (i32.const 8384) "result_out_of_bounds")
  (data (i32.const 8416) "post_return_trap")
  (data (i32.const 8448) "post_return_spin")
  (data (i32.const 8480) "bare_unreachable")
  (data (i32.const 8512) "bare_divide_by_zero")
  (data (i32.const 8544) "bare_out_of_bounds")
  (data (i32.const 8576) "bare_indirect_call")
  (data (i32.const 8608) "bare_recursion")
  (data (i32.const 9216) "\"fine\"")
  (data (i32.const 9232) "\"\ff\fe\"")

  (table 1 funcref)
  (global $after (mut i32) (i32.const 0))

  (func $length (param $name i32) (result i32)
    (local $length i32)
    (loop $next
      (if (i32.load8_u (i32.add (local.get $name) (local.get $length))) (then
        (local.set $length (i32.add (local.get $length) (i32.const 1)))
        (br $next))))
    (local.get $length))

  (func (export "describe") (result i32)
    (local $name i32) (local $at i32)
    (local.set $name (i32.const 8192))
    (local.set $at (i32.const 16384))
    (loop $next
      (call $define (local.get $at) (local.get $name) (call $length (local.get $name)))
      (local.set $at (i32.add (local.get $at) (i32.const 100)))
      (local.set $name (i32.add (local.get $name) (i32.const 32)))
      (br_if $next (i32.load8_u (local.get $name))))
    (call $definitions
      (i32.const 16384)
      (i32.div_u (i32.sub (local.get $name) (i32.const 8192)) (i32.const 32))))

  (func $named (param $call i32) (param $name i32) (result i32)
    (call $is (local.get $call) (local.get $name) (call $length (local.get $name))))

  (func $recurse (param i32) (result i32)
    (i32.add (call $recurse (i32.add (local.get 0) (i32.const 1))) (i32.const 3)))

  (func (export "execute") (param $call i32) (result i32)
    (local $result i32)
    (local.set $result (call $done (i32.const 9216) (i32.const 6)))
    ;; bad_utf8
    (if (call $named (local.get $call) (i32.const 8224))
      (then (return (call $done (i32.const 9232) (i32.const 4)))))
    ;; bad_pointer: the text lies outside of memory.
    (if (call $named (local.get $call) (i32.const 8256))
      (then (return (call $done (i32.const 0x7fffff00) (i32.const 16)))))
    ;; bad_length: the text ends 4 GiB behind its start.
    (if (call $named (local.get $call) (i32.const 8288))
      (then (return (call $done (i32.const 9216) (i32.const -1)))))
    ;; bad_discriminant: an outcome that the variant does not have.
    (if (call $named (local.get $call) (i32.const 8320))
      (then (i32.store8 offset=4 (local.get $result) (i32.const 77))))
    ;; bad_alignment
    (if (call $named (local.get $call) (i32.const 8352))
      (then (return (i32.add (local.get $result) (i32.const 1)))))
    ;; result_out_of_bounds
    (if (call $named (local.get $call) (i32.const 8384))
      (then (return (i32.const -16))))
    (if (call $named (local.get $call) (i32.const 8416))
      (then (global.set $after (i32.const 1))))
    (if (call $named (local.get $call) (i32.const 8448))
      (then (global.set $after (i32.const 2))))
    (if (call $named (local.get $call) (i32.const 8480)) (then unreachable))
    (if (call $named (local.get $call) (i32.const 8512))
      (then (return (i32.div_s (i32.const 1) (global.get $after)))))
    (if (call $named (local.get $call) (i32.const 8544))
      (then (return (i32.load (i32.const -64)))))
    (if (call $named (local.get $call) (i32.const 8576))
      (then (call_indirect (i32.const 0))))
    (if (call $named (local.get $call) (i32.const 8608))
      (then (return (call $recurse (i32.const 0)))))
    (local.get $result))

  (func (export "post-return") (param i32)
    (if (i32.eq (global.get $after) (i32.const 1)) (then unreachable))
    (if (i32.eq (global.get $after) (i32.const 2)) (then (loop $for-ever (br $for-ever))))))
(core instance $main (instantiate $module (with "library" (instance $library))))
