import { cr, type Dialect, lf, marksOf, unitBytes } from '../dialect/dialect.ts'

/** The position after the empty lines at `start`: they are not records. */
export function skipEmptyLines(bytes: Buffer, start: number, end: number, dialect: Dialect): number {
  const { newline } = marksOf(dialect)
  const size = unitBytes(dialect.encoding)
  const low = dialect.encoding === 'UTF-16BE' ? 1 : 0
  const unit = (at: number): number =>
    size === 1 || bytes[at + 1 - low] === 0 ? (bytes[size === 1 ? at : at + low] as number) : -1
  let at = start
  while (at + size <= end) {
    if (unit(at) === newline) at += size
    else if (newline === lf && unit(at) === cr && at + 2 * size <= end && unit(at + size) === lf)
      at += 2 * size
    else break
  }
  return at
}
