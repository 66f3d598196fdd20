import { scannerModule } from './scanner-module.ts'

interface Counter {
  value: number
}

/** What simd/scanner.wat exports; its comments say what each does. */
export interface ScannerExports {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number }
  readonly delimiter: Counter
  readonly quote: Counter
  readonly newline: Counter
  readonly inside: Counter
  readonly stop: Counter
  readonly recordEnd: Counter
  readonly fault: Counter
  readonly quotes: Counter
  readonly apartEnd: Counter
  scan(start: number, end: number, want: number): number
  rows(
    start: number,
    end: number,
    out: number,
    outEnd: number,
    apart: number,
    apartEnds: number,
    columns: number,
    wide: number,
  ): number
}

/** Node's types leave WebAssembly to the DOM's. */
interface WebAssemblyApi {
  readonly Module: new (bytes: Uint8Array) => object
  readonly Instance: new (module: object) => { readonly exports: unknown }
}

let compiled: object | undefined | null = null

/** Instances to use again: each reserves gigabytes of address space until it is collected. */
const idle: ScannerExports[] = []
const maxIdle = 4
const maxIdleBytes = 16 * 1024 * 1024

/** A scanner of one's own with this much memory, until it is released; undefined without WebAssembly SIMD. */
export function acquireScanner(bytes: number): ScannerExports | undefined {
  const exports = idle.pop() ?? instantiate()
  if (!exports) return undefined
  const pages = Math.ceil(bytes / 65_536) - exports.memory.buffer.byteLength / 65_536
  if (pages > 0) exports.memory.grow(pages)
  return exports
}

export function releaseScanner(exports: ScannerExports): void {
  if (idle.length < maxIdle && exports.memory.buffer.byteLength <= maxIdleBytes) idle.push(exports)
}

function instantiate(): ScannerExports | undefined {
  const webAssembly = (globalThis as unknown as { WebAssembly?: WebAssemblyApi }).WebAssembly
  if (!webAssembly) return undefined
  if (compiled === null) {
    try {
      compiled = new webAssembly.Module(Buffer.from(scannerModule, 'base64'))
    } catch {
      compiled = undefined
    }
  }
  return compiled && (new webAssembly.Instance(compiled).exports as ScannerExports)
}
