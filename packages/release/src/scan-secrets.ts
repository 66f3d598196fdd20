import { join } from 'node:path'
import { scanFiles } from './scan-files.ts'

const found = await scanFiles(join(import.meta.dirname, '../../..'))
for (const { file, line, kind } of found) process.stdout.write(`${file}:${line} looks like ${kind}\n`)
process.stdout.write(found.length === 0 ? 'nothing looks like a secret\n' : '')
process.exitCode = found.length === 0 ? 0 : 1
