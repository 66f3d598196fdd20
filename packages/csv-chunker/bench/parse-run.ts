// Compares two streams over one file, in a process of its own: what V8 learns from one file slows another's.
// `parse-run.ts PEER FILE FIRST-COLUMN LAST-COLUMN ROUNDS` ends with a line `ratio N`.
import { compare } from '@stepwright/bench'
import { type Checksum, createChecksum, createLengthSum } from './checksum.ts'
import { type Stream, streamCsvParse, streamOurs, streamUdsv } from './contenders.ts'

const [peerName = '', path = '', first = '', last = '', rounds = ''] = process.argv.slice(2)
const peer = peerName === 'udsv' ? streamUdsv : streamCsvParse

async function checked(stream: Stream, checksum: Checksum): Promise<readonly [number, number]> {
  await stream(path, checksum.take)
  return checksum.result()
}

if (rounds === '0') {
  const [ours, theirs] = [await checked(streamOurs, createChecksum()), await checked(peer, createChecksum())]
  if (String(ours) !== String(theirs)) throw new Error(`${peerName} read ${theirs} from ${path}, we ${ours}`)
} else {
  const timed = (stream: Stream) => () => checked(stream, createLengthSum([first, last]))
  const contenders = { ours: timed(streamOurs), [peerName]: timed(peer) }
  const times = await compare(`parse to objects: ${path.split('/').at(-1)}`, contenders, {
    rounds: Number(rounds),
  })
  console.log(`ratio ${(times[peerName]?.medianMs ?? 0) / (times['ours']?.medianMs ?? 1)}`)
}
