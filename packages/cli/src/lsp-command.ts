import type { Io } from './io.ts'
import { createMessageReader, encodeMessage } from './lsp/messages.ts'
import { createLanguageServer } from './lsp/server.ts'
import { readOptions } from './read-options.ts'

const lspUsage = `Usage: stepwright lsp

A language server for state machines, on standard input and output: findings as you type,
completion of states and errors, hover, definitions, renaming, and what --fix does. Editors
start it; docs/editors.md says how.

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
  const server = createLanguageServer(message => process.stdout.write(encodeMessage(message)))
  // One after the other, so that no answer is about a text that was not yet read.
  let last: Promise<void> = Promise.resolve()
  const read = createMessageReader(message => {
    last = last.then(() => server.handle(message))
  })
  for await (const bytes of process.stdin) {
    read(bytes as Uint8Array)
    await last
    if (server.ended()) break
  }
  return 0
}
