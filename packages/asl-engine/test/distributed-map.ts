import { createEngine, createMemoryObjects } from '../src/index.ts'

const rows = 1_000_000
const rowsPerChunk = 1000

/** A file of a million rows that exists only while it is read. */
async function* csv(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('id,name,amount\n')
  for (let first = 0; first < rows; first += rowsPerChunk) {
    let chunk = ''
    for (let row = first; row < first + rowsPerChunk; row += 1)
      chunk += `${row},"customer ${row}",${row % 97}.50\n`
    yield Buffer.from(chunk)
  }
}

let writtenBytes = 0
let worked = 0
const engine = createEngine({
  definition: {
    StartAt: 'Rows',
    States: {
      Rows: {
        Type: 'Map',
        ItemReader: {
          Resource: 'arn:aws:states:::s3:getObject',
          Parameters: { Bucket: 'b', Key: 'rows.csv' },
          ReaderConfig: { InputType: 'CSV', CSVHeaderLocation: 'FIRST_ROW' },
        },
        ItemProcessor: {
          ProcessorConfig: { Mode: 'DISTRIBUTED', ExecutionType: 'EXPRESS' },
          StartAt: 'Work',
          States: {
            Work: {
              Type: 'Task',
              Resource: 'arn:aws:lambda:us-east-1:000000000000:function:work',
              End: true,
            },
          },
        },
        ResultWriter: {
          Resource: 'arn:aws:states:::s3:putObject',
          Parameters: { Bucket: 'b', Prefix: 'out' },
        },
        End: true,
      },
    },
  },
  invoke: async (_arn, row) => {
    worked += 1
    return { id: (row as { id: string }).id }
  },
  objects: {
    ...createMemoryObjects(),
    get: csv,
    put: async (_bucket, _key, body) => {
      writtenBytes += body.length
      return { etag: '' }
    },
  },
})
const result = await engine.run({}).result
if (result.status !== 'SUCCEEDED' || worked !== rows || writtenBytes < rows) {
  throw new Error(`${worked} of ${rows} rows, ${writtenBytes} bytes: ${JSON.stringify(result)}`)
}
