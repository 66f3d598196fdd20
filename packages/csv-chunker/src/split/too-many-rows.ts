import { toCsvError } from '../csv-problem.ts'

export function tooManyRows(maxRows: number): Error {
  return toCsvError('TOO_MANY_ROWS', `the file has more than ${maxRows} rows`, { rowNumber: maxRows + 1 })
}

export function tooManyChunks(maxChunks: number): Error {
  return toCsvError('TOO_MANY_ROWS', `the file has more rows than fit into ${maxChunks} chunks: split it`)
}
