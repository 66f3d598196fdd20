import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { CheckOutput, CheckRequest } from './check-request.ts'
import type { Io } from './io.ts'
import { watchFolders } from './watch-folders.ts'

const worker = new URL(`./check-worker${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url)

const ignored = /(^|[\\/])(node_modules|dist|coverage|cdk\.out|stepwright\.out|\.[^\\/]+)([\\/]|$)/
const matters = /\.([cm]?[jt]sx?|jsonc?|ya?ml)$/

/** Checks, and again whenever a file of the folder changes, until it is interrupted: definitions and tasks as they are now. */
export async function watchCheck(args: readonly string[], io: Io): Promise<void> {
  let checking = check(args, io)
  using _ = watchFolders(io.cwd, {
    ignores: path => ignored.test(path),
    onChange(files) {
      const changed = files.filter(file => matters.test(file))
      if (changed.length === 0) return
      checking = checking.then(async () => {
        io.out(`\n── ${changed.join(', ')}\n`)
        await check(args, io)
      })
    },
  })
  await io.interrupted()
  await checking
}

/** In a thread of its own: modules are loaded once in each. */
async function check(args: readonly string[], { cwd, colour, out, error }: Io): Promise<void> {
  const workerData: CheckRequest = { args, cwd, colour }
  const checking = new Worker(worker, { workerData })
  checking.on('message', ({ to, text }: CheckOutput) => (to === 'out' ? out : error)(text))
  await once(checking, 'exit')
}
