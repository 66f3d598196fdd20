import { closeSync, createReadStream, openSync, readSync } from 'node:fs'
import { parse as csvParse } from 'csv-parse'
import { inferSchema, initParser } from 'udsv'
import { createFileSource, type Row, readRows } from '../src/index.ts'

/** Takes every row of a file. Each contender calls it, in its fastest way to stream objects. */
export type TakeRow = (row: Row) => void

export type Stream = (path: string, take: TakeRow) => Promise<void>

export async function streamOurs(path: string, take: TakeRow): Promise<void> {
  for await (const { rows } of readRows(createFileSource(path))) {
    for (let index = 0; index < rows.length; index += 1) take(rows[index] as Row)
  }
}

/** Given decoded text: bytes would break characters at the ends of blocks. */
export async function streamUdsv(path: string, take: TakeRow): Promise<void> {
  const parser = initParser(inferSchema(`${headerOf(path)}\n`, { row: '\n', col: ',' }))
  for await (const text of createReadStream(path, { encoding: 'utf8' })) {
    parser.chunk(text, parser.stringObjs<Record<string, string>>, row => take(row))
  }
  parser.end()
}

export async function streamCsvParse(path: string, take: TakeRow): Promise<void> {
  const parser = csvParse({ columns: true })
  for await (const row of createReadStream(path).pipe(parser)) take(row as Row)
}

function headerOf(path: string): string {
  const file = openSync(path, 'r')
  const head = Buffer.alloc(4096)
  readSync(file, head, 0, head.length, 0)
  closeSync(file)
  return head.toString('utf8', 0, head.indexOf('\n'))
}
