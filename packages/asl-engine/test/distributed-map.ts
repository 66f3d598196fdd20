import { createReadStream } from 'node:fs'
import { runRows } from './rows.ts'

/** `node distributed-map.ts FILE ROWS`: a child execution for each row of a CSV file. */
const [file = '', rows = ''] = process.argv.slice(2)
const { worked, writtenBytes } = await runRows(() => createReadStream(file))
if (worked !== Number(rows) || writtenBytes < worked)
  throw new Error(`${worked} of ${rows} rows, ${writtenBytes} bytes written`)
