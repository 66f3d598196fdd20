import type { Io } from './io.ts'
import { createMessageReader, encodeMessage, type Message } from './lsp/messages.ts'
import { createLanguageServer } from './lsp/server.ts'
import { readOptions } from './read-options.ts'

const lspUsage = `Usage: stepwright lsp

A language server for state machines, on standard input and output: findings as you type,
completion of states, errors, types, fields, resources and paths, hover, definitions, renaming,
and what --fix does, also in templates of CloudFormation, SAM and the Serverless Framework.
Editors start it; docs/editors.md says how. It loads configs only if the editor trusts the
workspace (initialization option "trusted"), or with --trust-config.

Options:
  --stdio   for editors that insist on saying so
  --help    this text
`

/** Runs `stepwright lsp` until the editor ends it. */
export async function runLsp(args: readonly string[], io: Io): Promise<0> {
  const { values } = readOptions(args, lspUsage, { stdio: { type: 'boolean', default: true } })
  if (values.help) {
    io.out(lspUsage)
    return 0
  }
  const send = (message: Message): void => {
    process.stdout.write(encodeMessage(message))
  }
  const server = createLanguageServer({ send, trustConfig: io.trustConfig ?? false })
  const read = createMessageReader(message => void server.handle(message), send)
  for await (const bytes of process.stdin) {
    read(bytes as Uint8Array)
    if (server.ended()) break
  }
  return 0
}
