import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { basename } from 'node:path'

// Preloaded with --import: at the end, says on standard error how often the program read each file.

const counts: Record<string, number> = {}
const { readFileSync } = fs
const { readFile } = fs.promises

function count(path: unknown): void {
  const name = basename(String(path))
  counts[name] = (counts[name] ?? 0) + 1
}

fs.readFileSync = ((path: string, ...rest: []) => {
  count(path)
  return readFileSync(path, ...rest)
}) as typeof readFileSync
fs.promises.readFile = ((path: string, ...rest: []) => {
  count(path)
  return readFile(path, ...rest)
}) as typeof readFile
syncBuiltinESMExports()
process.on('exit', () => process.stderr.write(JSON.stringify(counts)))
