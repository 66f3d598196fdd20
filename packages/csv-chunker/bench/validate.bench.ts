import { compare, figure } from '@stepwright/bench'
import * as z from 'zod'
import { createFileSource, parseRows, readRows } from '../src/index.ts'
import { streamUdsv } from './contenders.ts'
import { recipientsFile } from './files.ts'

const schema = z.compile(
  z.object({
    email: z.string().max(254).includes('@'),
    name: z.string().min(1).max(100),
    prefecture: z.string().regex(/^\d{1,2}$/),
  }),
)
const { validate } = schema['~standard']
const path = await recipientsFile()

async function ours(): Promise<number> {
  let rows = 0
  for await (const batch of parseRows(readRows(createFileSource(path)), schema)) rows += batch.rows.length
  return rows
}

async function udsv(): Promise<number> {
  let rows = 0
  await streamUdsv(path, row => {
    const result = validate(row)
    if (result instanceof Promise || result.issues) throw new Error('a row does not fit')
    rows += 1
  })
  return rows
}

const times = await compare(
  'parse and validate 200,000 recipients',
  { ours, udsv },
  { rounds: 15, warmups: 2 },
)
figure('csv.validate.vs_udsv', times.udsv.medianMs / times.ours.medianMs, { atLeast: 2.2 })
