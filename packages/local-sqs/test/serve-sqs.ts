import { startSqs } from '../src/index.ts'

// A server to be killed: says where it is, and ends with whoever started it.
const sqs = await startSqs({ dataDirectory: process.argv[2] ?? '' })
process.stdin.on('end', () => process.exit()).resume()
process.stdout.write(`${JSON.stringify(sqs.clientConfig)}\n`)
