/** What is wrong with a file's structure. */
export type Fault = 'STRAY_QUOTE' | 'TEXT_AFTER_QUOTE' | 'COLUMN_COUNT'

/** Finds record ends in memory of its own, block after block, knowing what is quoted. */
export interface RecordScanner {
  /** Data is read straight into it. The first `margin` bytes and the last are the scanner's. */
  readonly memory: Buffer
  /** Says that the file, or a chunk of it, starts at this position. */
  begin(at: number): void
  /** Says that what starts at this position follows what ended at the other. */
  follow(at: number, previousEnd: number): void
  /** Counts the records that end in [start, end), and stops after `want` of them or at a fault. */
  scan(start: number, end: number, want: number): RecordScan
  /** Gives the memory back. */
  release(): void
}

export interface RecordScan {
  readonly records: number
  /** Where scanning stopped: the end, just after the record that made it full, or the fault. */
  readonly stop: number
  /** The position after the last record that ended; 0 if none did. */
  readonly recordEnd: number
  readonly fault: Fault | undefined
  /** Whether a quote is open at `stop`. */
  readonly inside: boolean
}

/** Bytes before and after the data that a scanner may touch. */
export const margin = 64
