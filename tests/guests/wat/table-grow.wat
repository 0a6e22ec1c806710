;; template: plugin
;; Memory by another name: `grow_table` grows a table by `n` elements, a pointer each on
;; the host, and returns how many there are; a refusal is no error to it.
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
  (data (i32.const 8192) "grow_table")
  (func (export "describe") (result i32)
    (call $define (i32.const 16384) (i32.const 8192) (i32.const 10))
    (call $definitions (i32.const 16384) (i32.const 1)))
  (export "realloc" (func $realloc))
  (table $table 0 funcref)
  (func (export "execute") (param $call i32) (result i32)
    (drop (table.grow $table (ref.null func) (call $number (local.get $call))))
    (call $done-number (table.size $table))))
(core instance $main (instantiate $module (with "library" (instance $library))))
