;; template: plugin
;; Growths that cannot succeed, between ones that can: `grow_memory` grows by `n` pages and
;; then by more than 32 bits can address, forty times over, and returns how often the first
;; could.
(core module $module
  (import "library" "memory" (memory 1))
  (import "library" "realloc" (func $realloc (param i32 i32 i32 i32) (result i32)))
  (import "library" "define" (func $define (param i32 i32 i32)))
  (import "library" "definitions" (func $definitions (param i32 i32) (result i32)))
  (import "library" "number" (func $number (param i32) (result i32)))
  (import "library" "done-number" (func $done-number (param i32) (result i32)))
  (import "library" "post-return" (func $post-return (param i32)))
  (export "memory" (memory 0))
  (export "post-return" (func $post-return))
  (data (i32.const 8192) "grow_memory")
  (func (export "describe") (result i32)
    (call $define (i32.const 16384) (i32.const 8192) (i32.const 11))
    (call $definitions (i32.const 16384) (i32.const 1)))
  (export "realloc" (func $realloc))
  (func (export "execute") (param $call i32) (result i32)
    (local $pages i32) (local $round i32) (local $grown i32)
    (local.set $pages (call $number (local.get $call)))
    (loop $rounds
      (local.set $grown (i32.add (local.get $grown)
        (i32.ne (memory.grow 0 (local.get $pages)) (i32.const -1))))
      (drop (memory.grow 0 (i32.const 65535)))
      (local.set $round (i32.add (local.get $round) (i32.const 1)))
      (br_if $rounds (i32.lt_u (local.get $round) (i32.const 40))))
    (call $done-number (local.get $grown))))
(core instance $main (instantiate $module (with "library" (instance $library))))
