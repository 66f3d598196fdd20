#!/usr/bin/env node
import { nodeProblem } from './node-version.ts'

const problem = nodeProblem(process.versions.node)
if (problem !== undefined) {
  process.stderr.write(`${problem}\n`)
  process.exit(2)
}
const { enableCompileCache } = await import('node:module')
const { compileCacheDirectory } = await import('@stepwright/local-server/compile-cache')
enableCompileCache(compileCacheDirectory())
const { main } = await import('./main.ts')
const { createInterrupted } = await import('./interrupted.ts')

// `stepwright check | head` is no error.
process.stdout.on('error', error => {
  if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error
})

process.exitCode = await main(process.argv.slice(2), {
  cwd: process.cwd(),
  colour: process.stdout.isTTY === true && process.env['NO_COLOR'] === undefined,
  out: text => process.stdout.write(text),
  error: text => process.stderr.write(text),
  terminal: () => (process.stderr.isTTY ? process.stderr : undefined),
  screen: () => (process.stdout.isTTY ? process.stdout : undefined),
  interrupted: createInterrupted({
    signals: process,
    exit: () => process.exit(130),
    now: () => performance.now(),
  }),
})
