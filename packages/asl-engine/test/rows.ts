import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ResultWriter } from '@stepwright/asl'
import { createEngine, createMemoryObjects, type EngineOptions } from '../src/index.ts'

/** Writes a CSV file of so many customers. */
export async function writeRows(path: string, rows: number): Promise<void> {
  function* lines(): Generator<string> {
    yield 'id,name,amount\n'
    for (let row = 0; row < rows; row += 1) yield `${row},"customer ${row}",${row % 97}.50\n`
  }
  await pipeline(Readable.from(lines()), createWriteStream(path))
}

export interface RowsRun {
  /** How often the function was called, and the sum of the identifiers that it was called with. */
  readonly worked: number
  readonly sum: number
  readonly writtenBytes: number
}

/** How many rows are worked on at once. */
export const maxConcurrency = 40

/** What is done for each row. */
export type RowFunction = (row: { readonly id: string }) => Promise<{ readonly id: string }>

/** A Distributed Map that calls a function for each row, and writes out what it answers. */
export async function runRows(
  read: () => AsyncIterable<Uint8Array>,
  writerConfig?: ResultWriter['WriterConfig'],
): Promise<RowsRun> {
  const tally = { worked: 0, sum: 0, writtenBytes: 0 }
  const work = countedWork(tally)
  const objects: EngineOptions['objects'] = {
    ...createMemoryObjects(),
    get: read,
    put: async (_bucket, _key, body) => {
      tally.writtenBytes += body.length
      return { etag: '' }
    },
  }
  const engine = createEngine({
    definition: {
      StartAt: 'Rows',
      States: {
        Rows: {
          Type: 'Map',
          MaxConcurrency: maxConcurrency,
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
            ...(writerConfig === undefined ? {} : { WriterConfig: writerConfig }),
          },
          End: true,
        },
      },
    },
    invoke: (_arn, row) => work(row as { readonly id: string }),
    objects,
  })
  const result = await engine.run({}).result
  if (result.status !== 'SUCCEEDED') throw new Error(JSON.stringify(result))
  return tally
}

export function countedWork(tally: { worked: number; sum: number }): RowFunction {
  return async ({ id }) => {
    tally.worked += 1
    tally.sum += Number(id)
    return { id }
  }
}
