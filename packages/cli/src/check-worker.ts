import { parentPort, workerData } from 'node:worker_threads'
import { runCheck } from './check-command.ts'
import type { CheckOutput, CheckRequest } from './check-request.ts'
import { UsageError } from './io.ts'

const { args, cwd, colour } = workerData as CheckRequest

function print(to: CheckOutput['to'], text: string): void {
  parentPort?.postMessage({ to, text } satisfies CheckOutput)
}

try {
  await runCheck(args, {
    cwd,
    colour,
    out: text => print('out', text),
    error: text => print('error', text),
    interrupted: async () => {},
  })
} catch (error) {
  const message = error instanceof UsageError ? error.message : String(error)
  print('error', `stepwright: ${message}\n`)
}
