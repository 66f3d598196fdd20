import { type TargetWorkflow, workflowFor } from '../discover.ts'
import { codeActionsOf } from './code-actions.ts'
import { completionsOf } from './completion.ts'
import { definitionOf } from './definition.ts'
import { diagnosticsOf } from './diagnostics.ts'
import { machineAround, type OpenDocument, openDocument, type Position, type Range } from './document.ts'
import { hoverOf } from './hover.ts'
import type { Message } from './messages.ts'
import { renameState } from './rename.ts'
import { fileOf, findWorkflows, readTrust, untrusted } from './workspace-trust.ts'

interface Params {
  readonly textDocument: { readonly uri: string; readonly text?: string }
  readonly position?: Position
  readonly range?: Range
  readonly contentChanges?: readonly { readonly text: string }[]
  readonly newName: string
}

export interface LanguageServer {
  readonly handle: (message: Message) => Promise<void>
  /** Whether the client said to end. */
  readonly ended: () => boolean
}

export interface LanguageServerOptions {
  readonly send: (message: Message) => void
  /** Loads every config, whether or not the editor trusts the workspace. @default false */
  readonly trustConfig?: boolean
  /** Calls back after that many milliseconds; the result cancels. @default setTimeout */
  readonly after?: (delayMs: number, callback: () => void) => () => void
}

const capabilities = {
  textDocumentSync: 1, // the whole text
  completionProvider: { triggerCharacters: ['"', '.', '$', ':'] },
  hoverProvider: true,
  definitionProvider: true,
  renameProvider: true,
  codeActionProvider: { codeActionKinds: ['quickfix'] },
}

/** So long nobody types before a text is checked: a text that is outdated meanwhile is not. */
const quietMs = 150

function afterTimeout(delayMs: number, callback: () => void): () => void {
  const timer = setTimeout(callback, delayMs)
  return () => clearTimeout(timer)
}

/** Answers an editor: findings as one types, completion, hover, definition, renaming, fixes. */
export function createLanguageServer({
  send,
  trustConfig = false,
  after = afterTimeout,
}: LanguageServerOptions): LanguageServer {
  const documents = new Map<string, OpenDocument>()
  /** What the config says of an open file: looked for once. */
  const workflows = new Map<string, Promise<readonly TargetWorkflow[]>>()
  const waiting = new Map<string, () => void>()
  const reported = new Set<string>()
  let trust = { ...untrusted, trustConfig }
  let hasEnded = false

  function workflowsOf(uri: string): Promise<readonly TargetWorkflow[]> {
    const found = workflows.get(uri) ?? findWorkflows(uri, trust, reportSkipped)
    workflows.set(uri, found)
    return found
  }

  function forget(uri: string): void {
    waiting.get(uri)?.()
    waiting.delete(uri)
    workflows.delete(uri)
  }

  function show(uri: string, text: string, delayMs: number): void {
    documents.set(uri, openDocument(uri, fileOf(uri), text, documents.get(uri)))
    waiting.get(uri)?.()
    waiting.set(
      uri,
      after(delayMs, () => {
        waiting.delete(uri)
        publish(uri).catch(logFailure)
      }),
    )
  }

  async function publish(uri: string): Promise<void> {
    const found = await workflowsOf(uri)
    const document = documents.get(uri)
    // Somebody may have typed on meanwhile, or closed it.
    if (document === undefined || waiting.has(uri)) return
    const diagnostics = document
      .machines()
      .flatMap(machine => diagnosticsOf(machine, workflowFor(found, machine.logicalId)))
    send({ method: 'textDocument/publishDiagnostics', params: { uri, diagnostics } })
  }

  function logFailure(error: unknown): void {
    const { message } = error as Error
    send({ method: 'window/logMessage', params: { type: 1, message } })
  }

  /** Once for each config: people open many files that it speaks of. */
  function reportSkipped(message: string): void {
    if (reported.has(message)) return
    reported.add(message)
    send({ method: 'window/showMessage', params: { type: 2, message } })
  }

  async function answer(method: string, params: Params): Promise<unknown> {
    if (method === 'initialize') {
      trust = { ...readTrust(params), trustConfig }
      return { capabilities, serverInfo: { name: 'stepwright' } }
    }
    if (method === 'shutdown') return null
    const { uri } = params.textDocument ?? {}
    if (!documents.has(uri)) return null
    const found = await workflowsOf(uri)
    const document = documents.get(uri)
    const position = params.position ?? params.range?.start ?? { line: 0, character: 0 }
    const machine = document && machineAround(document, position)
    if (machine === undefined) return null
    const workflow = workflowFor(found, machine.logicalId)
    switch (method) {
      case 'textDocument/completion':
        return completionsOf(machine, position, workflow)
      case 'textDocument/hover':
        return hoverOf(machine, position, workflow)
      case 'textDocument/definition':
        return definitionOf(machine, position)
      case 'textDocument/codeAction':
        return codeActionsOf(machine, params.range, workflow)
      case 'textDocument/rename': {
        const edit = renameState(machine, position, params.newName)
        if (typeof edit === 'string') throw new RequestError(edit)
        return edit
      }
      default:
        throw new RequestError(`There is no ${method} here.`, -32_601)
    }
  }

  function hear(method: string, params: Params): void {
    const { uri, text = '' } = params.textDocument ?? {}
    if (method === 'exit') hasEnded = true
    else if (method === 'textDocument/didOpen') {
      forget(uri)
      show(uri, text, 0)
    } else if (method === 'textDocument/didChange')
      show(uri, params.contentChanges?.at(-1)?.text ?? '', quietMs)
    else if (method === 'textDocument/didClose') {
      forget(uri)
      documents.delete(uri)
      send({ method: 'textDocument/publishDiagnostics', params: { uri, diagnostics: [] } })
    }
  }

  return {
    ended: () => hasEnded,
    async handle({ id, method = '', params = {} }) {
      try {
        if (id === undefined) hear(method, params as Params)
        else send({ id, result: await answer(method, params as Params) })
      } catch (error) {
        const { message } = error as Error
        const code = error instanceof RequestError ? error.code : -32_603
        if (id === undefined) logFailure(error)
        else send({ id, error: { code, message } })
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
