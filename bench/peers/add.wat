;; The task of the comparison for Extism, written by hand on its kernel's functions:
;; adds the whole numbers in the input and returns `{"sum":N}`. It reads no more of
;; JSON than that, so it does less than the tool it stands beside.
(module
  (import "extism:host/env" "input_length" (func $input-length (result i64)))
  (import "extism:host/env" "input_load_u8" (func $input (param i64) (result i32)))
  (import "extism:host/env" "alloc" (func $alloc (param i64) (result i64)))
  (import "extism:host/env" "store_u8" (func $store (param i64 i32)))
  (import "extism:host/env" "output_set" (func $output (param i64 i64)))
  (memory (export "memory") 1)
  (data (i32.const 0) "{\"sum\":")

  (func $sum (result i32)
    (local $at i64) (local $digit i32) (local $number i32) (local $sum i32)
    (block $end
      (loop $next
        (br_if $end (i64.ge_u (local.get $at) (call $input-length)))
        (local.set $digit (i32.sub (call $input (local.get $at)) (i32.const 48)))
        (if (i32.lt_u (local.get $digit) (i32.const 10))
          (then
            (local.set $number
              (i32.add (i32.mul (local.get $number) (i32.const 10)) (local.get $digit))))
          (else
            (local.set $sum (i32.add (local.get $sum) (local.get $number)))
            (local.set $number (i32.const 0))))
        (local.set $at (i64.add (local.get $at) (i64.const 1)))
        (br $next)))
    (i32.add (local.get $sum) (local.get $number)))

  ;; Writes the number behind the text, and a brace; gives the length of all.
  (func $write (param $number i32) (result i32)
    (local $end i32) (local $rest i32) (local $at i32)
    (local.set $end (i32.const 8))
    (local.set $rest (i32.div_u (local.get $number) (i32.const 10)))
    (block $counted
      (loop $more
        (br_if $counted (i32.eqz (local.get $rest)))
        (local.set $end (i32.add (local.get $end) (i32.const 1)))
        (local.set $rest (i32.div_u (local.get $rest) (i32.const 10)))
        (br $more)))
    (i32.store8 (local.get $end) (i32.const 125))
    (local.set $at (local.get $end))
    (loop $digit
      (local.set $at (i32.sub (local.get $at) (i32.const 1)))
      (i32.store8 (local.get $at)
        (i32.add (i32.const 48) (i32.rem_u (local.get $number) (i32.const 10))))
      (local.set $number (i32.div_u (local.get $number) (i32.const 10)))
      (br_if $digit (local.get $number)))
    (i32.add (local.get $end) (i32.const 1)))

  (func (export "add") (result i32)
    (local $length i32) (local $to i64) (local $at i32)
    (local.set $length (call $write (call $sum)))
    (local.set $to (call $alloc (i64.extend_i32_u (local.get $length))))
    (loop $next
      (call $store
        (i64.add (local.get $to) (i64.extend_i32_u (local.get $at)))
        (i32.load8_u (local.get $at)))
      (local.set $at (i32.add (local.get $at) (i32.const 1)))
      (br_if $next (i32.lt_u (local.get $at) (local.get $length))))
    (call $output (local.get $to) (i64.extend_i32_u (local.get $length)))
    (i32.const 0)))
