;; template: plugin
;; Instantiation never ends: the start function of the module loops.
(core module $module
  (import "library" "memory" (memory 1))
  (import "library" "realloc" (func $realloc (param i32 i32 i32 i32) (result i32)))
  (import "library" "definitions" (func $definitions (param i32 i32) (result i32)))
  (import "library" "post-return" (func $post-return (param i32)))
  (export "memory" (memory 0))
  (export "realloc" (func $realloc))
  (export "post-return" (func $post-return))
  (func (export "describe") (result i32) (call $definitions (i32.const 8192) (i32.const 0)))
  (func (export "execute") (param i32) (result i32) unreachable)
  (func $start (loop $for-ever (br $for-ever)))
  (start $start))
(core instance $main (instantiate $module (with "library" (instance $library))))
