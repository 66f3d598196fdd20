/** More than a file has before it is written out. */
const usualBytes = 1_280_000

/** So much text is written at once: many short writes cost several times as much as the text. */
const pieceLength = 4096

/** A file being written. Text soon becomes bytes: strings that live long cost the heap far more than they weigh. */
export class ResultFile {
  readonly #asLines: boolean
  #buffer: Buffer | undefined
  #written = 0
  #text = ''

  constructor(asLines: boolean) {
    this.#asLines = asLines
  }

  /** What the file has, or a little less where it is not ASCII. */
  get bytes(): number {
    return this.#written + this.#text.length
  }

  add(text: string): void {
    if (this.#asLines) this.#text += `${text}\n`
    else this.#text += (this.bytes === 0 ? '[' : ',') + text
    if (this.#text.length >= pieceLength) this.#write()
  }

  /** The whole file, `undefined` if it would be empty; then a new one begins. */
  take(): Uint8Array | undefined {
    if (this.bytes === 0) return undefined
    if (!this.#asLines) this.#text += ']'
    this.#write()
    const whole = this.#buffer?.subarray(0, this.#written)
    this.#buffer = undefined
    this.#written = 0
    return whole
  }

  #write(): void {
    const buffer = this.#roomFor(this.#text.length * 3)
    this.#written += buffer.write(this.#text, this.#written)
    this.#text = ''
  }

  #roomFor(bytes: number): Buffer {
    const before = this.#buffer
    const needed = this.#written + bytes
    if (before !== undefined && needed <= before.length) return before
    const buffer = Buffer.allocUnsafeSlow(Math.max(usualBytes, needed * 2))
    before?.copy(buffer, 0, 0, this.#written)
    this.#buffer = buffer
    return buffer
  }
}
