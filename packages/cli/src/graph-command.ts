import { resolve } from 'node:path'
import { paginateGetExecutionHistory, SFNClient } from '@aws-sdk/client-sfn'
import { drawMermaid, drawSvg, type GraphEvent } from '@stepwright/asl-graph'
import { type Io, UsageError } from './io.ts'
import { readDefinition } from './read-definition.ts'
import { readOptions } from './read-options.ts'

const graphUsage = `Usage: stepwright graph FILE [options]

Draws a state machine: the picture goes to standard output, for a README or a pull request.

Options:
  --svg             a picture that needs nothing else, light and dark [default]
  --mermaid         a flowchart, as GitHub draws it in Markdown
  --execution ARN   lay this execution over it: what succeeded, failed, was caught or retried;
                    Step Functions is where the SDK's variables say, e.g. AWS_ENDPOINT_URL_SFN
  --help            this text

Exit: 0 drawn, 2 could not run.
`

const options = {
  svg: { type: 'boolean', default: false },
  mermaid: { type: 'boolean', default: false },
  execution: { type: 'string' },
} as const

/** Runs `stepwright graph`. */
export async function runGraph(args: readonly string[], io: Io): Promise<0> {
  const { values, positionals } = readOptions(args, graphUsage, options, { positionals: true })
  if (values.help) {
    io.out(graphUsage)
    return 0
  }
  const [file] = positionals
  if (file === undefined || positionals.length > 1)
    throw new UsageError(`Name one definition.\n\n${graphUsage}`)
  if (values.svg && values.mermaid) throw new UsageError('Choose one of --svg and --mermaid.')
  const definition = await readDefinition(resolve(io.cwd, file), io.cwd)
  const history = values.execution === undefined ? undefined : await readHistory(values.execution)
  io.out(
    values.mermaid
      ? drawMermaid(definition, history)
      : `${drawSvg(definition, { title: file, ...(history && { history }) })}\n`,
  )
  return 0
}

async function readHistory(executionArn: string): Promise<readonly GraphEvent[]> {
  const client = new SFNClient()
  try {
    const events: GraphEvent[] = []
    for await (const page of paginateGetExecutionHistory({ client, pageSize: 1000 }, { executionArn }))
      events.push(...(page.events ?? []))
    return events
  } catch (error) {
    throw new UsageError(`The execution cannot be read: ${(error as Error).message}`, { cause: error })
  } finally {
    client.destroy()
  }
}
