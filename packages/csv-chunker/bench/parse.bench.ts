import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { figure } from '@stepwright/bench'
import { narrowFile, quotedFile, recipientsFile } from './files.ts'

const script = fileURLToPath(import.meta.resolve('./parse-run.ts'))

/** How many times faster we are than the peer. First every character is compared, then the clock runs. */
function versus(
  peer: 'udsv' | 'csv-parse',
  path: string,
  columns: readonly string[],
  rounds: number,
): number {
  const run = (count: number): string =>
    execFileSync(process.execPath, ['--expose-gc', script, peer, path, ...columns, String(count)], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    })
  run(0)
  const output = run(rounds)
  console.log(output.replace(/ratio .*\n/, ''))
  return Number(/ratio (.*)/.exec(output)?.[1])
}

const recipients = await recipientsFile()
const narrow = await narrowFile()
const recipientColumns = ['email', 'prefecture']
const narrowColumns = ['logins', 'posts']
const quotedColumns = ['name', 'reply']

const quotedVersusUdsv = versus('udsv', await quotedFile(), quotedColumns, 3)
const versusUdsv = [
  versus('udsv', recipients, recipientColumns, 9),
  versus('udsv', narrow, narrowColumns, 7),
  quotedVersusUdsv,
]
figure('csv.parse.vs_udsv', Math.min(...versusUdsv), { atLeast: 1.8 })
figure('csv.parse.quoted.vs_udsv', quotedVersusUdsv, { atLeast: 3 })

// 64 MB of the quoted file are enough here: csv-parse's speed does not depend on a file's length.
const versusCsvParse = [
  versus('csv-parse', recipients, recipientColumns, 5),
  versus('csv-parse', narrow, narrowColumns, 2),
  versus('csv-parse', await quotedFile(64), quotedColumns, 3),
]
figure('csv.parse.vs_csv_parse', Math.min(...versusCsvParse), { atLeast: 10 })
