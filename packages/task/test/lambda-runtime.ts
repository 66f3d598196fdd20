import { type ChildProcess, spawn } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join, parse } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

/** What Lambda would hand to Step Functions. */
export type Outcome =
  | { readonly result: unknown }
  | { readonly streamed: string }
  | { readonly errorType: string; readonly errorMessage: string; readonly trace?: readonly string[] }

/**
 * Runs a bundled handler under the real Lambda runtime client, against a stub of the Runtime API:
 * one outcome for each event, or a single one if the function does not even start.
 */
export async function runInLambda(
  handler: string,
  events: readonly unknown[],
  { remainingMs = 60_000 }: { readonly remainingMs?: number } = {},
): Promise<{ outcomes: Outcome[]; log: string }> {
  const outcomes: Outcome[] = []
  const finished = Promise.withResolvers<void>()
  const server = createServer(async (request, response) => {
    const path = request.url ?? ''
    if (path.endsWith('/next')) {
      const index = outcomes.length
      if (index === events.length) return finished.resolve() // the process waits here until it is ended
      response.setHeader('Lambda-Runtime-Aws-Request-Id', `request-${index}`)
      response.setHeader('Lambda-Runtime-Deadline-Ms', String(Date.now() + remainingMs))
      response.setHeader(
        'Lambda-Runtime-Invoked-Function-Arn',
        'arn:aws:lambda:us-east-1:000000000000:function:x',
      )
      return response.end(JSON.stringify(events[index]))
    }
    const isStreamed = request.headers['lambda-runtime-function-response-mode'] === 'streaming'
    const sent = await text(request)
    if (isStreamed) outcomes.push({ streamed: sent })
    else outcomes.push(path.endsWith('/error') ? JSON.parse(sent) : { result: JSON.parse(sent) })
    response.statusCode = 202
    response.end()
    if (path.endsWith('/init/error')) finished.resolve()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))

  const child = startRuntime(handler, (server.address() as AddressInfo).port)
  let log = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', data => (log += data))
  const exited = new Promise<void>(resolve => child.once('exit', () => resolve()))
  await Promise.race([finished.promise, exited])
  child.kill('SIGKILL')
  await exited
  server.closeAllConnections()
  await new Promise(resolve => server.close(resolve))
  return { outcomes, log }
}

function startRuntime(handler: string, port: number): ChildProcess {
  const { dir, name } = parse(handler.replace(/#.*/, ''))
  const exportName = handler.split('#')[1] ?? 'handler'
  const runtime = join(dirname(fileURLToPath(import.meta.resolve('aws-lambda-ric'))), 'index.mjs')
  return spawn(
    process.execPath,
    ['--require', join(import.meta.dirname, 'native-runtime-client.cjs'), runtime],
    {
      env: {
        PATH: process.env['PATH'],
        AWS_LAMBDA_RUNTIME_API: `127.0.0.1:${port}`,
        AWS_LAMBDA_FUNCTION_NAME: 'function-under-test',
        AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '128',
        AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
        AWS_LAMBDA_LOG_GROUP_NAME: '/aws/lambda/function-under-test',
        AWS_LAMBDA_LOG_STREAM_NAME: 'local',
        LAMBDA_TASK_ROOT: dir,
        _HANDLER: `${name}.${exportName}`,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
}
