import { compare, figure } from '@stepwright/bench'
import { type Checksum, createChecksum, createLengthSum } from './checksum.ts'
import { streamCsvParse, streamOurs, streamPapaParse, streamUdsv, type TakeRow } from './contenders.ts'
import { narrowFile, quotedFile, recipientsFile } from './files.ts'

type Stream = (path: string, take: TakeRow) => Promise<void>

async function checked(stream: Stream, path: string, checksum: Checksum): Promise<unknown> {
  await stream(path, checksum.take)
  return checksum.result()
}

async function verify(path: string, streams: Record<string, Stream>): Promise<void> {
  const expected = JSON.stringify(await checked(streamOurs, path, createChecksum()))
  for (const [name, stream] of Object.entries(streams)) {
    const found = JSON.stringify(await checked(stream, path, createChecksum()))
    if (found !== expected) throw new Error(`${name} read ${found} from ${path}, we ${expected}`)
  }
}

const files = [
  { name: '200,000 recipients', path: await recipientsFile(), columns: ['email', 'prefecture'], rounds: 9 },
  { name: '5,000,000 narrow rows', path: await narrowFile(), columns: ['logins', 'posts'], rounds: 5 },
  { name: '1 GB quoted', path: await quotedFile(), columns: ['name', 'reply'], rounds: 3 },
] as const

const versusUdsv: Record<string, number> = {}
for (const { name, path, columns, rounds } of files) {
  await verify(path, { streamUdsv })
  const timed = (stream: Stream) => () => checked(stream, path, createLengthSum(columns))
  const times = await compare(
    `parse to objects: ${name}`,
    { ours: timed(streamOurs), udsv: timed(streamUdsv) },
    { rounds },
  )
  versusUdsv[name] = times.udsv.medianMs / times.ours.medianMs
}
figure('csv.parse.vs_udsv', Math.min(...Object.values(versusUdsv)), { atLeast: 1.8 })
figure('csv.parse.quoted.vs_udsv', versusUdsv['1 GB quoted'] as number, { atLeast: 3 })

// The slower ones get 64 MB of the quoted file: their speed does not depend on its length.
const slower = [
  files[0],
  files[1],
  { name: '64 MB quoted', path: await quotedFile(64), columns: ['name', 'reply'] },
] as const
const versusCsvParse: number[] = []
for (const { name, path, columns } of slower) {
  await verify(path, { streamCsvParse })
  const timed = (stream: Stream) => () => checked(stream, path, createLengthSum(columns))
  const times = await compare(
    `parse to objects, slower peers: ${name}`,
    { ours: timed(streamOurs), csvParse: timed(streamCsvParse), papaParse: timed(streamPapaParse) },
    { rounds: 3, warmups: 0 },
  )
  versusCsvParse.push(times.csvParse.medianMs / times.ours.medianMs)
}
figure('csv.parse.vs_csv_parse', Math.min(...versusCsvParse), { atLeast: 10 })
