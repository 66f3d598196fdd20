;; The CSV scanner: finds record ends and field separators 64 bytes at a time.
;;
;; Every block of 64 bytes becomes bit masks, one bit a byte: quotes, newlines, delimiters. The prefix XOR
;; of the quote mask says which bytes are inside quotes; the state is carried from block to block. Rules:
;;   - a record ends at the newline byte outside quotes; an empty line (also a lone CR before it) is no record;
;;   - an opening quote must follow a delimiter, a newline or a quote, or the parity would go out of step;
;;   - a closing quote must be followed by a delimiter, a line end or a quote ($rows only).
;; The caller keeps the two bytes before `ptr` true to the data (a newline at the start of the data) and 64
;; readable bytes after `end`.
(module
  (memory (export "memory") 1)

  (global $delimiter (export "delimiter") (mut i32) (i32.const 0x2c))
  (global $quote (export "quote") (mut i32) (i32.const 0x22))
  (global $newline (export "newline") (mut i32) (i32.const 0x0a))

  ;; In and out: -1 inside quotes, 0 outside.
  (global $inside (export "inside") (mut i32) (i32.const 0))
  ;; Out: where scanning stopped.
  (global $stop (export "stop") (mut i32) (i32.const 0))
  ;; Out: the position after the last record that ended, 0 if none did.
  (global $recordEnd (export "recordEnd") (mut i32) (i32.const 0))
  ;; Out: 0, or what is wrong at $stop: 1 stray quote, 2 text after a closing quote, 3 number of fields.
  (global $fault (export "fault") (mut i32) (i32.const 0))
  ;; Out of $rows: how many quotes were seen.
  (global $quotes (export "quotes") (mut i32) (i32.const 0))
  ;; Out of $rows: where the bytes of fields that are kept apart end.
  (global $apartEnd (export "apartEnd") (mut i32) (i32.const 0))
  (global $apartUnits (mut i32) (i32.const 0))
  (global $apartNext (mut i32) (i32.const 0))

  ;; The bits of four 16-lane comparisons as one mask.
  (func $mask (param $a v128) (param $b v128) (param $c v128) (param $d v128) (result i64)
    (i64.or
      (i64.or
        (i64.extend_i32_u (i8x16.bitmask (local.get $a)))
        (i64.shl (i64.extend_i32_u (i8x16.bitmask (local.get $b))) (i64.const 16)))
      (i64.or
        (i64.shl (i64.extend_i32_u (i8x16.bitmask (local.get $c))) (i64.const 32))
        (i64.shl (i64.extend_i32_u (i8x16.bitmask (local.get $d))) (i64.const 48)))))

  ;; Bit i of the result is the XOR of bits 0 to i.
  (func $prefixXor (param $x i64) (result i64)
    (local.set $x (i64.xor (local.get $x) (i64.shl (local.get $x) (i64.const 1))))
    (local.set $x (i64.xor (local.get $x) (i64.shl (local.get $x) (i64.const 2))))
    (local.set $x (i64.xor (local.get $x) (i64.shl (local.get $x) (i64.const 4))))
    (local.set $x (i64.xor (local.get $x) (i64.shl (local.get $x) (i64.const 8))))
    (local.set $x (i64.xor (local.get $x) (i64.shl (local.get $x) (i64.const 16))))
    (i64.xor (local.get $x) (i64.shl (local.get $x) (i64.const 32))))

  ;; The bits of a block that lie before `end`.
  (func $validBits (param $p i32) (param $end i32) (result i64)
    (if (result i64) (i32.ge_u (i32.sub (local.get $end) (local.get $p)) (i32.const 64))
      (then (i64.const -1))
      (else
        (i64.sub
          (i64.shl (i64.const 1) (i64.extend_i32_u (i32.sub (local.get $end) (local.get $p))))
          (i64.const 1)))))

  ;; Whether the newline at `at` ends an empty line.
  (func $isBlank (param $at i32) (result i32)
    (local $previous i32)
    (local.set $previous (i32.load8_u (i32.sub (local.get $at) (i32.const 1))))
    (i32.or
      (i32.eq (local.get $previous) (global.get $newline))
      (i32.and
        (i32.and
          (i32.eq (local.get $previous) (i32.const 0x0d))
          (i32.eq (global.get $newline) (i32.const 0x0a)))
        (i32.eq (i32.load8_u (i32.sub (local.get $at) (i32.const 2))) (i32.const 0x0a)))))

  ;; Takes the newlines that end empty lines out of `ends`; `candidates` are the ones to look at.
  (func $withoutBlanks (param $p i32) (param $ends i64) (param $candidates i64) (result i64)
    (loop $next
      (if (i64.ne (local.get $candidates) (i64.const 0))
        (then
          (if (call $isBlank (i32.add (local.get $p) (i32.wrap_i64 (i64.ctz (local.get $candidates)))))
            (then
              (local.set $ends
                (i64.xor (local.get $ends)
                  (i64.and (local.get $candidates) (i64.sub (i64.const 0) (local.get $candidates)))))))
          (local.set $candidates
            (i64.and (local.get $candidates) (i64.sub (local.get $candidates) (i64.const 1))))
          (br $next))))
    (local.get $ends))

  ;; A mask whose two top bits say whether the bytes before p are newlines.
  (func $newlinesBefore (param $p i32) (result i64)
    (i64.or
      (i64.shl
        (i64.extend_i32_u
          (i32.eq (i32.load8_u (i32.sub (local.get $p) (i32.const 1))) (global.get $newline)))
        (i64.const 63))
      (i64.shl
        (i64.extend_i32_u
          (i32.eq (i32.load8_u (i32.sub (local.get $p) (i32.const 2))) (global.get $newline)))
        (i64.const 62))))

  ;; The newlines that stand one or two bytes after another; `before` is the mask of the 64 bytes before.
  (func $nearNewlines (param $newlines i64) (param $before i64) (result i64)
    (i64.and (local.get $newlines)
      (i64.or
        (i64.or
          (i64.shl (local.get $newlines) (i64.const 1))
          (i64.shr_u (local.get $before) (i64.const 63)))
        (i64.or
          (i64.shl (local.get $newlines) (i64.const 2))
          (i64.shr_u (local.get $before) (i64.const 62))))))

  ;; 1 if an opening quote may follow the byte before p, else 0.
  (func $isMark (param $p i32) (result i64)
    (local $byte i32)
    (local.set $byte (i32.load8_u (i32.sub (local.get $p) (i32.const 1))))
    (i64.extend_i32_u
      (i32.or
        (i32.eq (local.get $byte) (global.get $newline))
        (i32.or
          (i32.eq (local.get $byte) (global.get $delimiter))
          (i32.eq (local.get $byte) (global.get $quote))))))

  ;; Counts the records that end in [ptr, end), at most `want`; stops right after the one that makes it full.
  (func (export "scan") (param $p i32) (param $end i32) (param $want i32) (result i32)
    (local $Q v128) (local $N v128) (local $D v128)
    (local $odd v128)
    (local $v0 v128) (local $v1 v128) (local $v2 v128) (local $v3 v128)
    (local $quotes i64) (local $newlines i64) (local $in i64) (local $ends i64) (local $near i64)
    (local $before i64) (local $valid i64) (local $carry i64) (local $marks i64) (local $markBefore i64)
    (local $stray i64)
    (local $previous i64) ;; the newlines of the 64 bytes before, in a quick try
    (local $rows i32) (local $n i32) (local $i i32) (local $recordEnd i32)
    (local $patience i32) ;; blocks of 64 to take one by one before the next quick try
    (local $penalty i32) ;; what a failed quick try costs in patience: doubles up to 64 KiB
    (local $quickEnd i32) ;; end of the last quick block that held a newline
    (local.set $Q (i8x16.splat (global.get $quote)))
    (local.set $N (i8x16.splat (global.get $newline)))
    (local.set $D (i8x16.splat (global.get $delimiter)))
    (local.set $carry (i64.extend_i32_s (global.get $inside)))
    (local.set $before (call $newlinesBefore (local.get $p)))
    (local.set $penalty (i32.const 64))
    (local.set $markBefore (call $isMark (local.get $p)))
    (global.set $fault (i32.const 0))
    (block $done
      (loop $block
        (br_if $done (i32.ge_u (local.get $p) (local.get $end)))

        ;; Quick: 1 KiB without a quote or an empty line needs only its newlines counted.
        (if (i32.and
              (i32.and
                (i32.eqz (local.get $patience))
                (i64.eqz (local.get $carry)))
              (i32.ge_u (i32.sub (local.get $end) (local.get $p)) (i32.const 1024)))
          (then
            (local.set $n (i32.const 0))
            (local.set $near (i64.const 0))
            (local.set $odd (v128.const i64x2 0 0))
            (local.set $previous (local.get $before))
            (local.set $i (i32.add (local.get $p) (i32.const 1024)))
            (loop $vectors
              (local.set $v0 (v128.load (local.get $p)))
              (local.set $v1 (v128.load offset=16 (local.get $p)))
              (local.set $v2 (v128.load offset=32 (local.get $p)))
              (local.set $v3 (v128.load offset=48 (local.get $p)))
              (local.set $odd
                (v128.or
                  (local.get $odd)
                  (v128.or
                    (v128.or
                      (i8x16.eq (local.get $v0) (local.get $Q)) (i8x16.eq (local.get $v1) (local.get $Q)))
                    (v128.or
                      (i8x16.eq (local.get $v2) (local.get $Q)) (i8x16.eq (local.get $v3) (local.get $Q))))))
              (local.set $newlines
                (call $mask
                  (i8x16.eq (local.get $v0) (local.get $N)) (i8x16.eq (local.get $v1) (local.get $N))
                  (i8x16.eq (local.get $v2) (local.get $N)) (i8x16.eq (local.get $v3) (local.get $N))))
              (local.set $n (i32.add (local.get $n) (i32.wrap_i64 (i64.popcnt (local.get $newlines)))))
              (local.set $near
                (i64.or (local.get $near) (call $nearNewlines (local.get $newlines) (local.get $previous))))
              (local.set $previous (local.get $newlines))
              (local.set $p (i32.add (local.get $p) (i32.const 64)))
              (br_if $vectors (i32.lt_u (local.get $p) (local.get $i))))
            (local.set $p (i32.sub (local.get $p) (i32.const 1024)))
            (local.set $patience (i32.const 16))
            (if (i32.eqz
                  (i32.or (v128.any_true (local.get $odd)) (i64.ne (local.get $near) (i64.const 0))))
              (then
                (if (i32.lt_u (i32.add (local.get $rows) (local.get $n)) (local.get $want))
                  (then
                    (local.set $rows (i32.add (local.get $rows) (local.get $n)))
                    (local.set $p (i32.add (local.get $p) (i32.const 1024)))
                    (if (local.get $n) (then (local.set $quickEnd (local.get $p))))
                    (local.set $before (local.get $newlines))
                    (local.set $markBefore (call $isMark (local.get $p)))
                    (local.set $patience (i32.const 0))
                    (local.set $penalty (i32.const 64))
                    (br $block))))
              (else
                (local.set $patience (local.get $penalty))
                (local.set $penalty
                  (i32.or
                    (i32.const 64)
                    (i32.and (i32.shl (local.get $penalty) (i32.const 1)) (i32.const 0x7ff))))))))

        ;; Exact: 64 bytes.
        (local.set $patience
          (i32.sub (local.get $patience) (i32.ne (local.get $patience) (i32.const 0))))
        (local.set $v0 (v128.load (local.get $p)))
        (local.set $v1 (v128.load offset=16 (local.get $p)))
        (local.set $v2 (v128.load offset=32 (local.get $p)))
        (local.set $v3 (v128.load offset=48 (local.get $p)))
        (local.set $quotes
          (call $mask
            (i8x16.eq (local.get $v0) (local.get $Q)) (i8x16.eq (local.get $v1) (local.get $Q))
            (i8x16.eq (local.get $v2) (local.get $Q)) (i8x16.eq (local.get $v3) (local.get $Q))))
        (local.set $newlines
          (call $mask
            (i8x16.eq (local.get $v0) (local.get $N)) (i8x16.eq (local.get $v1) (local.get $N))
            (i8x16.eq (local.get $v2) (local.get $N)) (i8x16.eq (local.get $v3) (local.get $N))))
        (if (i32.lt_u (i32.sub (local.get $end) (local.get $p)) (i32.const 64))
          (then
            (local.set $valid (call $validBits (local.get $p) (local.get $end)))
            (local.set $quotes (i64.and (local.get $quotes) (local.get $valid)))
            (local.set $newlines (i64.and (local.get $newlines) (local.get $valid)))))
        ;; No branch on quotes or record ends here: both are as good as random.
        (local.set $in (i64.xor (call $prefixXor (local.get $quotes)) (local.get $carry)))
        (local.set $marks
          (i64.or
            (i64.or (local.get $quotes) (local.get $newlines))
            (call $mask
              (i8x16.eq (local.get $v0) (local.get $D)) (i8x16.eq (local.get $v1) (local.get $D))
              (i8x16.eq (local.get $v2) (local.get $D)) (i8x16.eq (local.get $v3) (local.get $D)))))
        (local.set $stray
          (i64.and
            (i64.and (local.get $quotes) (local.get $in))
            (i64.xor (i64.const -1)
              (i64.or (i64.shl (local.get $marks) (i64.const 1)) (local.get $markBefore)))))
        (local.set $markBefore (i64.shr_u (local.get $marks) (i64.const 63)))
        (local.set $ends (i64.and (local.get $newlines) (i64.xor (local.get $in) (i64.const -1))))
        (local.set $near
          (i64.and (local.get $ends) (call $nearNewlines (local.get $newlines) (local.get $before))))
        (if (i64.ne (local.get $near) (i64.const 0))
          (then (local.set $ends (call $withoutBlanks (local.get $p) (local.get $ends) (local.get $near)))))
        (if (i64.ne (local.get $stray) (i64.const 0))
          (then
            (local.set $ends
              (i64.and (local.get $ends)
                (i64.sub
                  (i64.and (local.get $stray) (i64.sub (i64.const 0) (local.get $stray)))
                  (i64.const 1))))))
        (local.set $n (i32.wrap_i64 (i64.popcnt (local.get $ends))))
        (if (i32.ge_u (i32.add (local.get $rows) (local.get $n)) (local.get $want))
          (then
            (local.set $n (i32.sub (local.get $want) (local.get $rows)))
            (loop $drop
              (local.set $n (i32.sub (local.get $n) (i32.const 1)))
              (if (local.get $n)
                (then
                  (local.set $ends (i64.and (local.get $ends) (i64.sub (local.get $ends) (i64.const 1))))
                  (br $drop))))
            (local.set $rows (local.get $want))
            (local.set $p
              (i32.add (i32.add (local.get $p) (i32.wrap_i64 (i64.ctz (local.get $ends)))) (i32.const 1)))
            (local.set $recordEnd (local.get $p))
            (local.set $carry (i64.const 0))
            (br $done)))
        (local.set $rows (i32.add (local.get $rows) (local.get $n)))
        (local.set $recordEnd
          (select
            (i32.sub (i32.add (local.get $p) (i32.const 64)) (i32.wrap_i64 (i64.clz (local.get $ends))))
            (local.get $recordEnd)
            (local.get $n)))
        (if (i64.ne (local.get $stray) (i64.const 0))
          (then
            (global.set $fault (i32.const 1))
            (local.set $p (i32.add (local.get $p) (i32.wrap_i64 (i64.ctz (local.get $stray)))))
            (br $done)))
        (local.set $carry (i64.shr_s (local.get $in) (i64.const 63)))
        (local.set $before (local.get $newlines))
        (local.set $p (i32.add (local.get $p) (i32.const 64)))
        (br $block)))
    (if (i32.gt_u (local.get $p) (local.get $end)) (then (local.set $p (local.get $end))))
    (if (i32.gt_u (local.get $quickEnd) (local.get $recordEnd))
      (then
        (loop $back
          (if (i32.ne
                (i32.load8_u (i32.sub (local.get $quickEnd) (i32.const 1)))
                (global.get $newline))
            (then
              (local.set $quickEnd (i32.sub (local.get $quickEnd) (i32.const 1)))
              (br $back))))
        (local.set $recordEnd (local.get $quickEnd))))
    (global.set $recordEnd (local.get $recordEnd))
    (global.set $stop (local.get $p))
    (global.set $inside (i32.wrap_i64 (local.get $carry)))
    (local.get $rows))

  ;; Keeps a field apart: copies its bytes, one of each two quotes if it holds `escaped` ones, and ends them
  ;; with a newline, so that broken characters of two fields never make a whole one.
  (func $keepApart (param $from i32) (param $to i32) (param $escaped i32) (param $wide i32)
    (local $v v128) (local $at i32) (local $units i32) (local $taken i32) (local $mask i32) (local $quotes i32)
    (local.set $at (global.get $apartEnd))
    (local.set $units (global.get $apartUnits))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $from) (local.get $to)))
        (local.set $v (v128.load (local.get $from)))
        (v128.store (local.get $at) (local.get $v))
        (local.set $taken (i32.sub (local.get $to) (local.get $from)))
        (local.set $taken
          (select (i32.const 16) (local.get $taken) (i32.gt_u (local.get $taken) (i32.const 16))))
        (local.set $from (i32.add (local.get $from) (local.get $taken)))
        (if (local.get $escaped)
          (then
            (local.set $quotes
              (i32.and
                (i8x16.bitmask (i8x16.eq (local.get $v) (i8x16.splat (global.get $quote))))
                (i32.sub (i32.shl (i32.const 1) (local.get $taken)) (i32.const 1))))
            (if (local.get $quotes)
              (then
                (local.set $from (i32.sub (local.get $from) (local.get $taken)))
                (local.set $taken (i32.add (i32.ctz (local.get $quotes)) (i32.const 1)))
                (local.set $from (i32.add (i32.add (local.get $from) (local.get $taken)) (i32.const 1)))))))
        (local.set $at (i32.add (local.get $at) (local.get $taken)))
        (if (local.get $wide)
          (then
            ;; Units are lead bytes, and one more for each of four bytes.
            (local.set $mask (i32.sub (i32.shl (i32.const 1) (local.get $taken)) (i32.const 1)))
            (local.set $taken
              (i32.add
                (i32.popcnt
                  (i32.and (local.get $mask)
                    (i8x16.bitmask
                      (i8x16.gt_s (local.get $v) (v128.const i64x2 0xbfbfbfbfbfbfbfbf 0xbfbfbfbfbfbfbfbf)))))
                (i32.popcnt
                  (i32.and (local.get $mask)
                    (i8x16.bitmask
                      (i8x16.ge_u (local.get $v)
                        (v128.const i64x2 0xf0f0f0f0f0f0f0f0 0xf0f0f0f0f0f0f0f0)))))))))
        (local.set $units (i32.add (local.get $units) (local.get $taken)))
        (br $next)))
    (i32.store8 (local.get $at) (i32.const 0x0a))
    (global.set $apartEnd (i32.add (local.get $at) (i32.const 1)))
    (local.set $units (i32.add (local.get $units) (i32.const 1)))
    (global.set $apartUnits (local.get $units))
    (i32.store (global.get $apartNext) (local.get $units))
    (global.set $apartNext (i32.add (global.get $apartNext) (i32.const 4))))

  ;; Writes the fields of the complete rows in [ptr, end) to `out`: for each row the offset of its start, then
  ;; the offset of each field's end, in bytes from ptr. An end carries bit 30 if its field is quoted, and bit 31
  ;; if its text is not its bytes, because they are escaped quotes or, where `wide` is 1, not ASCII: such a field
  ;; is kept apart, without its quotes. Their bytes follow one another at `apart`, their ends there, in UTF-16
  ;; code units and after the newline behind each, at `apartEnds`. Stops at the first fault (the rows before it
  ;; stand), when `out` is full, or at the end.
  (func (export "rows") (param $ptr i32) (param $end i32) (param $out i32) (param $outEnd i32)
    (param $apart i32) (param $apartEnds i32) (param $columns i32) (param $wide i32) (result i32)
    (local $Q v128) (local $N v128) (local $D v128) (local $R v128)
    (local $v0 v128) (local $v1 v128) (local $v2 v128) (local $v3 v128)
    (local $quotes i64) (local $newlines i64) (local $delimiters i64) (local $in i64) (local $carry i64)
    (local $valid i64) (local $marks i64) (local $markCarry i64) (local $closing i64) (local $closingCarry i64)
    (local $check i64) (local $separators i64) (local $below i64) (local $open i64)
    (local $high i64) ;; bytes of the block that are not ASCII and whose fields have not ended yet
    (local $fieldHigh i64) ;; not 0 if the field has such bytes in the blocks before
    (local $left i64) (local $ends i64) (local $bit i64)
    (local $p i32) (local $at i32) (local $fieldStart i32) (local $start i32)
    (local $fieldQuotes i32) (local $flags i32) (local $n i32)
    (local $count i32) (local $cursor i32) (local $seen i32) (local $stop i32)
    (local $uneven i32) (local $isEnd i32) (local $next i32) (local $base i32)
    (local $rowBase i32) ;; where the entries of the current row begin in the table
    (local $stride i32) ;; bytes that a row takes in the table
    (local $evenEnd i32) ;; the table's end less one row
    (local.set $Q (i8x16.splat (global.get $quote)))
    (local.set $N (i8x16.splat (global.get $newline)))
    (local.set $D (i8x16.splat (global.get $delimiter)))
    (local.set $R (i8x16.splat (i32.const 0x0d)))
    (local.set $stride (i32.shl (i32.add (local.get $columns) (i32.const 1)) (i32.const 2)))
    (local.set $evenEnd (i32.sub (local.get $outEnd) (local.get $stride)))
    (local.set $rowBase (local.get $out))
    (local.set $p (local.get $ptr))
    (local.set $fieldStart (local.get $ptr))
    (local.set $markCarry (i64.const 1))
    (local.set $cursor (i32.add (local.get $out) (i32.const 4)))
    (i32.store (local.get $out) (i32.const 0))
    (local.set $stop (local.get $ptr))
    (global.set $fault (i32.const 0))
    (global.set $apartEnd (local.get $apart))
    (global.set $apartUnits (i32.const 0))
    (global.set $apartNext (local.get $apartEnds))
    (block $done
      (loop $block
        (br_if $done (i32.ge_u (local.get $p) (local.get $end)))
        (local.set $v0 (v128.load (local.get $p)))
        (local.set $v1 (v128.load offset=16 (local.get $p)))
        (local.set $v2 (v128.load offset=32 (local.get $p)))
        (local.set $v3 (v128.load offset=48 (local.get $p)))
        (local.set $valid (call $validBits (local.get $p) (local.get $end)))
        (local.set $quotes
          (i64.and (local.get $valid)
            (call $mask
              (i8x16.eq (local.get $v0) (local.get $Q)) (i8x16.eq (local.get $v1) (local.get $Q))
              (i8x16.eq (local.get $v2) (local.get $Q)) (i8x16.eq (local.get $v3) (local.get $Q)))))
        (local.set $newlines
          (i64.and (local.get $valid)
            (call $mask
              (i8x16.eq (local.get $v0) (local.get $N)) (i8x16.eq (local.get $v1) (local.get $N))
              (i8x16.eq (local.get $v2) (local.get $N)) (i8x16.eq (local.get $v3) (local.get $N)))))
        (local.set $delimiters
          (i64.and (local.get $valid)
            (call $mask
              (i8x16.eq (local.get $v0) (local.get $D)) (i8x16.eq (local.get $v1) (local.get $D))
              (i8x16.eq (local.get $v2) (local.get $D)) (i8x16.eq (local.get $v3) (local.get $D)))))
        (local.set $marks (i64.or (i64.or (local.get $delimiters) (local.get $newlines)) (local.get $quotes)))
        (local.set $in (local.get $carry))
        (if (i64.ne (i64.or (local.get $quotes) (local.get $closingCarry)) (i64.const 0))
          (then
            (local.set $seen (i32.add (local.get $seen) (i32.wrap_i64 (i64.popcnt (local.get $quotes)))))
            (local.set $in (i64.xor (call $prefixXor (local.get $quotes)) (local.get $carry)))
            (local.set $check
              (i64.and
                (i64.and (local.get $quotes) (local.get $in))
                (i64.xor (i64.const -1)
                  (i64.or (i64.shl (local.get $marks) (i64.const 1)) (local.get $markCarry)))))
            (if (i64.ne (local.get $check) (i64.const 0))
              (then
                (global.set $fault (i32.const 1))
                (br $done)))
            (local.set $closing
              (i64.and (local.get $quotes) (i64.xor (local.get $in) (i64.const -1))))
            (local.set $check
              (i64.and (local.get $valid)
                (i64.and
                  (i64.or (i64.shl (local.get $closing) (i64.const 1)) (local.get $closingCarry))
                  (i64.xor (local.get $marks) (i64.const -1)))))
            (local.set $closingCarry (i64.shr_u (local.get $closing) (i64.const 63)))
            ;; What follows a closing quote and is no mark can only be the CR of a CRLF.
            (loop $follower
              (if (i64.ne (local.get $check) (i64.const 0))
                (then
                  (local.set $at (i32.add (local.get $p) (i32.wrap_i64 (i64.ctz (local.get $check)))))
                  (if (i32.or
                        (i32.ne (i32.load8_u (local.get $at)) (i32.const 0x0d))
                        (i32.or
                          (i32.ne (global.get $newline) (i32.const 0x0a))
                          (i32.and
                            (i32.ne (i32.load8_u offset=1 (local.get $at)) (i32.const 0x0a))
                            (i32.lt_u (i32.add (local.get $at) (i32.const 1)) (local.get $end)))))
                    (then
                      (global.set $fault (i32.const 2))
                      (br $done)))
                  (local.set $check
                    (i64.and (local.get $check) (i64.sub (local.get $check) (i64.const 1))))
                  (br $follower))))))
        (local.set $markCarry (i64.shr_u (local.get $marks) (i64.const 63)))
        (local.set $carry (i64.shr_s (local.get $in) (i64.const 63)))
        (local.set $separators
          (i64.and
            (i64.or (local.get $delimiters) (local.get $newlines))
            (i64.xor (local.get $in) (i64.const -1))))
        (local.set $high (i64.const 0))
        (if (local.get $wide)
          (then
            (local.set $high
              (i64.and (local.get $valid)
                (call $mask (local.get $v0) (local.get $v1) (local.get $v2) (local.get $v3))))))
        (local.set $open (local.get $quotes))
        ;; Even: without quotes or CR every newline should end a row of $columns fields, and there is nothing
        ;; to decide. Where one does not, the block is taken again, mark by mark.
        (if (i32.and
              (i32.and
                (i64.eqz (i64.or (local.get $quotes) (i64.extend_i32_u (local.get $fieldQuotes))))
                (i64.eqz (local.get $carry)))
              (i32.and
                (i32.gt_u (local.get $columns) (i32.const 1))
                (i32.le_u (i32.add (local.get $cursor) (i32.const 512)) (local.get $evenEnd))))
          (then
            (local.set $uneven
              (i32.or
                (v128.any_true
                  (v128.or
                    (v128.or
                      (i8x16.eq (local.get $v0) (local.get $R)) (i8x16.eq (local.get $v1) (local.get $R)))
                    (v128.or
                      (i8x16.eq (local.get $v2) (local.get $R)) (i8x16.eq (local.get $v3) (local.get $R)))))
                (i32.eq (i32.load8_u (i32.sub (local.get $p) (i32.const 1))) (i32.const 0x0d))))
            (local.set $left (local.get $separators))
            (local.set $next (local.get $cursor))
            (local.set $base (local.get $rowBase))
            (local.set $start (i32.sub (local.get $p) (local.get $ptr)))
            (loop $mark
              (if (i64.ne (local.get $left) (i64.const 0))
                (then
                  (local.set $bit (i64.ctz (local.get $left)))
                  (local.set $isEnd
                    (i32.and
                      (i32.wrap_i64 (i64.shr_u (local.get $newlines) (local.get $bit))) (i32.const 1)))
                  (local.set $at (i32.add (local.get $start) (i32.wrap_i64 (local.get $bit))))
                  (local.set $left (i64.and (local.get $left) (i64.sub (local.get $left) (i64.const 1))))
                  ;; The start of the next row, which the next mark overwrites where the row goes on.
                  (i32.store (local.get $next) (local.get $at))
                  (i32.store offset=4 (local.get $next) (i32.add (local.get $at) (i32.const 1)))
                  (local.set $next (i32.add (local.get $next) (i32.const 4)))
                  (local.set $n (i32.sub (i32.const 0) (local.get $isEnd)))
                  (local.set $uneven
                    (i32.or (local.get $uneven)
                      (i32.and (local.get $n)
                        (i32.xor (local.get $next) (i32.add (local.get $base) (local.get $stride))))))
                  (local.set $base (i32.add (local.get $base) (i32.and (local.get $n) (local.get $stride))))
                  (local.set $next (i32.sub (local.get $next) (i32.shl (local.get $n) (i32.const 2))))
                  (br $mark))))
            (if (i32.eqz (local.get $uneven))
              (then
                (local.set $ends (i64.and (local.get $separators) (local.get $newlines)))
                ;; The fields that are not ASCII; the one that began before counts as if its first byte here were not.
                (local.set $high
                  (i64.or (local.get $high) (i64.extend_i32_u (i64.ne (local.get $fieldHigh) (i64.const 0)))))
                (local.set $fieldHigh (i64.const 0))
                (loop $highField
                  (if (i64.ne (local.get $high) (i64.const 0))
                    (then
                      ;; The separators from the field's first such byte on.
                      (local.set $left
                        (i64.and (local.get $separators)
                          (i64.or (local.get $high) (i64.sub (i64.const 0) (local.get $high)))))
                      (if (i64.eqz (local.get $left))
                        (then (local.set $fieldHigh (i64.const 1)))
                        (else
                          (local.set $below
                            (i64.and
                              (i64.sub (local.get $left) (i64.const 1)) (i64.xor (local.get $left) (i64.const -1))))
                          (local.set $left (i64.and (local.get $separators) (local.get $below)))
                          (local.set $at
                            (i32.add (local.get $cursor)
                              (i32.shl
                                (i32.wrap_i64
                                  (i64.add
                                    (i64.popcnt (local.get $left))
                                    (i64.popcnt (i64.and (local.get $ends) (local.get $below)))))
                                (i32.const 2))))
                          (local.set $n (i32.load (local.get $at)))
                          (call $keepApart
                            (select
                              (i32.sub
                                (i32.add (local.get $p) (i32.const 64))
                                (i32.wrap_i64 (i64.clz (local.get $left))))
                              (local.get $fieldStart)
                              (i64.ne (local.get $left) (i64.const 0)))
                            (i32.add (local.get $ptr) (local.get $n))
                            (i32.const 0)
                            (i32.const 1))
                          (i32.store (local.get $at) (i32.or (local.get $n) (i32.const 0x80000000)))
                          (local.set $high
                            (i64.and (local.get $high)
                              (i64.xor (i64.or (local.get $below) (i64.const 1)) (i64.const -1))))
                          (br $highField))))))
                (if (i64.ne (local.get $separators) (i64.const 0))
                  (then
                    (local.set $fieldStart
                      (i32.sub
                        (i32.add (local.get $p) (i32.const 64))
                        (i32.wrap_i64 (i64.clz (local.get $separators)))))))
                (local.set $high (i64.const 0))
                (local.set $cursor (local.get $next))
                (local.set $rowBase (local.get $base))
                (local.set $n (i32.wrap_i64 (i64.popcnt (local.get $ends))))
                (local.set $count (i32.add (local.get $count) (local.get $n)))
                (local.set $stop
                  (select
                    (i32.sub
                      (i32.add (local.get $p) (i32.const 64)) (i32.wrap_i64 (i64.clz (local.get $ends))))
                    (local.get $stop)
                    (local.get $n)))
                (local.set $separators (i64.const 0))))))
        (loop $separator
          (if (i64.ne (local.get $separators) (i64.const 0))
            (then
              (local.set $bit (i64.ctz (local.get $separators)))
              (local.set $below
                (i64.and
                  (i64.sub (local.get $separators) (i64.const 1))
                  (i64.xor (local.get $separators) (i64.const -1))))
              (local.set $separators
                (i64.and (local.get $separators) (i64.sub (local.get $separators) (i64.const 1))))
              (local.set $start (local.get $fieldStart))
              (local.set $at (i32.add (local.get $p) (i32.wrap_i64 (local.get $bit))))
              (local.set $fieldStart (i32.add (local.get $at) (i32.const 1)))
              (local.set $isEnd
                (i32.and
                  (i32.wrap_i64 (i64.shr_u (local.get $newlines) (local.get $bit)))
                  (i32.const 1)))
              ;; The CR of a CRLF is no part of the field.
              (local.set $at
                (i32.sub (local.get $at)
                  (i32.and
                    (local.get $isEnd)
                    (i32.and
                      (i32.eq (i32.load8_u (i32.sub (local.get $at) (i32.const 1))) (i32.const 0x0d))
                      (i32.eq (global.get $newline) (i32.const 0x0a))))))
              (local.set $fieldQuotes
                (i32.add (local.get $fieldQuotes)
                  (i32.wrap_i64 (i64.popcnt (i64.and (local.get $open) (local.get $below))))))
              (local.set $open (i64.and (local.get $open) (i64.xor (local.get $below) (i64.const -1))))
              (local.set $n (i32.ne (local.get $fieldQuotes) (i32.const 0)))
              (local.set $flags (i32.shl (local.get $n) (i32.const 30)))
              (if (i32.or
                    (i32.gt_u (local.get $fieldQuotes) (i32.const 2))
                    (i64.ne
                      (i64.or (local.get $fieldHigh) (i64.and (local.get $high) (local.get $below)))
                      (i64.const 0)))
                (then
                  (call $keepApart
                    (i32.add (local.get $start) (local.get $n))
                    (i32.sub (local.get $at) (local.get $n))
                    (i32.gt_u (local.get $fieldQuotes) (i32.const 2))
                    (local.get $wide))
                  (local.set $flags (i32.or (local.get $flags) (i32.const 0x80000000)))
                  (local.set $fieldHigh (i64.const 0))
                  (local.set $high (i64.and (local.get $high) (i64.xor (local.get $below) (i64.const -1))))))
              (local.set $fieldQuotes (i32.const 0))
              (if (local.get $isEnd)
                (then
                  (if (i32.and
                        (i32.eq (local.get $cursor) (i32.add (local.get $rowBase) (i32.const 4)))
                        (i32.and
                          (i32.eqz (local.get $flags))
                          (i32.le_u (local.get $at) (local.get $start))))
                    (then
                      ;; An empty line: the next row starts after it.
                      (local.set $cursor (local.get $rowBase)))
                    (else
                      (i32.store (local.get $cursor)
                        (i32.or (i32.sub (local.get $at) (local.get $ptr)) (local.get $flags)))
                      (local.set $cursor (i32.add (local.get $cursor) (i32.const 4)))
                      (local.set $rowBase (i32.add (local.get $rowBase) (local.get $stride)))
                      (if (i32.ne (local.get $cursor) (local.get $rowBase))
                        (then
                          (global.set $fault (i32.const 3))
                          (br $done)))
                      (local.set $count (i32.add (local.get $count) (i32.const 1)))))
                  (i32.store (local.get $cursor) (i32.sub (local.get $fieldStart) (local.get $ptr)))
                  (local.set $cursor (i32.add (local.get $cursor) (i32.const 4)))
                  (local.set $stop (local.get $fieldStart))
                  (br_if $done
                    (i32.gt_u
                      (i32.add (local.get $cursor) (i32.shl (local.get $columns) (i32.const 2)))
                      (local.get $outEnd))))
                (else
                  (i32.store (local.get $cursor)
                    (i32.or (i32.sub (local.get $at) (local.get $ptr)) (local.get $flags)))
                  (local.set $cursor (i32.add (local.get $cursor) (i32.const 4)))
                  (if (i32.ge_u (local.get $cursor) (i32.add (local.get $rowBase) (local.get $stride)))
                    (then
                      (global.set $fault (i32.const 3))
                      (br $done)))))
              (br $separator))))
        (local.set $fieldHigh (i64.or (local.get $fieldHigh) (local.get $high)))
        (local.set $fieldQuotes
          (i32.add (local.get $fieldQuotes) (i32.wrap_i64 (i64.popcnt (local.get $open)))))
        (local.set $p (i32.add (local.get $p) (i32.const 64)))
        (br $block)))
    (global.set $stop (local.get $stop))
    (global.set $quotes (local.get $seen))
    (local.get $count)))
