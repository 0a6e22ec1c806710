;; template: plugin
;; Three memories in one module: `grow_memories` grows each by `n` pages and returns how
;; many could.
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
  (data (i32.const 8192) "grow_memories")
  (func (export "describe") (result i32)
    (call $define (i32.const 16384) (i32.const 8192) (i32.const 13))
    (call $definitions (i32.const 16384) (i32.const 1)))
  (export "realloc" (func $realloc))
  (memory $a 0)
  (memory $b 0)
  (func (export "execute") (param $call i32) (result i32)
    (local $pages i32)
    (local.set $pages (call $number (local.get $call)))
    (call $done-number (i32.add
      (i32.ne (memory.grow $a (local.get $pages)) (i32.const -1))
      (i32.add
        (i32.ne (memory.grow $b (local.get $pages)) (i32.const -1))
        (i32.ne (memory.grow 0 (local.get $pages)) (i32.const -1)))))))
(core instance $main (instantiate $module (with "library" (instance $library))))
