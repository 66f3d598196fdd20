const short = 16

/** Writes into a buffer, and into a bigger one when it is full. Big-endian, as PostgreSQL's protocol is. */
export class ByteWriter {
  /** V8 forgets code that was optimised for a class of which nothing is alive, as between two batches. */
  static readonly kept: ByteWriter = new ByteWriter(Buffer.alloc(0))

  buffer: Buffer
  length = 0

  constructor(buffer: Buffer) {
    this.buffer = buffer
  }

  /** Makes room for so many bytes and returns where they start. `buffer` may be another one afterwards. */
  reserve(bytes: number): number {
    const start = this.length
    const end = start + bytes
    if (end > this.buffer.length) {
      const bigger = Buffer.allocUnsafeSlow(Math.max(end, this.buffer.length * 2))
      this.buffer.copy(bigger, 0, 0, start)
      this.buffer = bigger
    }
    this.length = end
    return start
  }

  int8(value: number): void {
    const at = this.reserve(1)
    this.buffer[at] = value
  }

  int16(value: number): void {
    const at = this.reserve(2)
    this.buffer[at] = value >> 8
    this.buffer[at + 1] = value
  }

  int32(value: number): void {
    this.int32At(this.reserve(4), value)
  }

  int32At(at: number, value: number): void {
    const { buffer } = this
    buffer[at] = value >> 24
    buffer[at + 1] = value >> 16
    buffer[at + 2] = value >> 8
    buffer[at + 3] = value
  }

  bytes(value: Uint8Array): void {
    const at = this.reserve(value.length)
    this.buffer.set(value, at)
  }

  /** UTF-8. False, with nothing written, for half a surrogate pair: it has no UTF-8. */
  utf8(value: string): boolean {
    const start = this.reserve(value.length * 3)
    const written = this.#encode(value, start)
    this.length = start + Math.max(0, written)
    return written >= 0
  }

  /** UTF-8 behind its length. */
  text(value: string): boolean {
    const start = this.reserve(4 + value.length * 3)
    const written = this.#encode(value, start + 4)
    if (written >= 0) this.int32At(start, written)
    this.length = written >= 0 ? start + 4 + written : start
    return written >= 0
  }

  #encode(value: string, start: number): number {
    const written = value.length <= short ? this.#encodeShort(value, start) : -1
    if (written >= 0) return written
    return value.isWellFormed() ? this.buffer.write(value, start, 'utf8') : -1
  }

  /** A call into native code costs more than encoding a short text here. -1 if it has surrogates. */
  #encodeShort(value: string, start: number): number {
    const { buffer } = this
    let at = start
    for (let i = 0; i < value.length; i += 1) {
      const code = value.charCodeAt(i)
      if (code < 0x80) {
        buffer[at] = code
        at += 1
      } else if (code < 0x800) {
        buffer[at] = 0xc0 | (code >> 6)
        buffer[at + 1] = 0x80 | (code & 0x3f)
        at += 2
      } else if (code < 0xd800 || code > 0xdfff) {
        buffer[at] = 0xe0 | (code >> 12)
        buffer[at + 1] = 0x80 | ((code >> 6) & 0x3f)
        buffer[at + 2] = 0x80 | (code & 0x3f)
        at += 3
      } else {
        return -1
      }
    }
    return at - start
  }

  done(): Buffer {
    return this.buffer.subarray(0, this.length)
  }
}
