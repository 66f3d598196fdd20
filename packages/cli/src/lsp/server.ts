import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findTargets, type TargetWorkflow } from '../discover.ts'
import { codeActionsOf } from './code-actions.ts'
import { completionsOf } from './completion.ts'
import { definitionOf } from './definition.ts'
import { diagnosticsOf } from './diagnostics.ts'
import { type OpenDocument, openDocument, type Position, type Range } from './document.ts'
import { hoverOf } from './hover.ts'
import type { Message } from './messages.ts'
import { renameState } from './rename.ts'

interface Params {
  readonly textDocument: { readonly uri: string; readonly text?: string }
  readonly position: Position
  readonly range?: Range
  readonly contentChanges?: readonly { readonly text: string }[]
  readonly newName: string
}

export interface LanguageServer {
  readonly handle: (message: Message) => Promise<void>
  /** Whether the client said to end. */
  readonly ended: () => boolean
}

const capabilities = {
  textDocumentSync: 1, // the whole text
  completionProvider: { triggerCharacters: ['"', '.', '$'] },
  hoverProvider: true,
  definitionProvider: true,
  renameProvider: true,
  codeActionProvider: { codeActionKinds: ['quickfix'] },
}

/** Answers an editor: findings as one types, completion, hover, definition, renaming, fixes. */
export function createLanguageServer(send: (message: Message) => void): LanguageServer {
  const documents = new Map<string, OpenDocument>()
  let hasEnded = false

  async function show(uri: string, text: string): Promise<void> {
    const document = openDocument(uri, fileOf(uri), text, documents.get(uri))
    documents.set(uri, document)
    const diagnostics = diagnosticsOf(document, await workflowOf(uri))
    // Somebody may have typed on meanwhile.
    if (documents.get(uri) === document)
      send({ method: 'textDocument/publishDiagnostics', params: { uri, diagnostics } })
  }

  async function answer(method: string, params: Params): Promise<unknown> {
    if (method === 'initialize') return { capabilities, serverInfo: { name: 'stepwright' } }
    if (method === 'shutdown') return null
    const document = documents.get(params.textDocument?.uri)
    if (document === undefined) return null
    const workflow = await workflowOf(document.uri)
    switch (method) {
      case 'textDocument/completion':
        return completionsOf(document, params.position, workflow)
      case 'textDocument/hover':
        return hoverOf(document, params.position, workflow)
      case 'textDocument/definition':
        return definitionOf(document, params.position)
      case 'textDocument/codeAction':
        return codeActionsOf(document, params.range, workflow)
      case 'textDocument/rename': {
        const edit = renameState(document, params.position, params.newName)
        if (typeof edit === 'string') throw new RequestError(edit)
        return edit
      }
      default:
        throw new RequestError(`There is no ${method} here.`, -32_601)
    }
  }

  async function hear(method: string, params: Params): Promise<void> {
    const { uri, text = '' } = params.textDocument ?? {}
    if (method === 'exit') hasEnded = true
    else if (method === 'textDocument/didOpen') await show(uri, text)
    else if (method === 'textDocument/didChange') await show(uri, params.contentChanges?.at(-1)?.text ?? '')
    else if (method === 'textDocument/didClose') documents.delete(uri)
  }

  return {
    ended: () => hasEnded,
    async handle({ id, method = '', params = {} }) {
      try {
        if (id === undefined) await hear(method, params as Params)
        else send({ id, result: await answer(method, params as Params) })
      } catch (error) {
        const { message } = error as Error
        const code = error instanceof RequestError ? error.code : -32_603
        if (id !== undefined) send({ id, error: { code, message } })
        else send({ method: 'window/logMessage', params: { type: 1, message } })
      }
    },
  }
}

class RequestError extends Error {
  override readonly name = 'RequestError'
  readonly code: number

  constructor(message: string, code = -32_803) {
    super(message)
    this.code = code
  }
}

function fileOf(uri: string): string {
  return uri.startsWith('file:') ? fileURLToPath(uri) : uri
}

/** What the nearest config says of the file; nothing where there is none, or where it cannot be loaded. */
async function workflowOf(uri: string): Promise<TargetWorkflow | undefined> {
  if (!uri.startsWith('file:')) return undefined
  const file = fileOf(uri)
  const targets = await findTargets({ cwd: dirname(file) }, [file]).catch(() => [])
  return targets[0]?.workflows[0]
}
