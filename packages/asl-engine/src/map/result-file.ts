/** More than a file has before it is written out. */
const usualBytes = 1_280_000

/** A file being written. Text becomes bytes at once: strings that live long cost the heap far more than they weigh. */
export class ResultFile {
  readonly #asLines: boolean
  #buffer: Buffer | undefined
  #bytes = 0

  constructor(asLines: boolean) {
    this.#asLines = asLines
  }

  get bytes(): number {
    return this.#bytes
  }

  add(text: string): void {
    const separator = this.#asLines ? '' : this.#bytes === 0 ? '[' : ','
    this.#write(this.#asLines ? `${text}\n` : separator + text)
  }

  /** The whole file, `undefined` if it would be empty; then a new one begins. */
  take(): Uint8Array | undefined {
    if (this.#bytes === 0) return undefined
    if (!this.#asLines) this.#write(']')
    const whole = this.#buffer?.subarray(0, this.#bytes)
    this.#buffer = undefined
    this.#bytes = 0
    return whole
  }

  #write(text: string): void {
    const buffer = this.#roomFor(text.length * 3)
    this.#bytes += buffer.write(text, this.#bytes)
  }

  #roomFor(bytes: number): Buffer {
    const before = this.#buffer
    const needed = this.#bytes + bytes
    if (before !== undefined && needed <= before.length) return before
    const buffer = Buffer.allocUnsafeSlow(Math.max(usualBytes, needed * 2))
    before?.copy(buffer, 0, 0, this.#bytes)
    this.#buffer = buffer
    return buffer
  }
}
