import { dirname, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findConfig } from '../config.ts'
import { findTargets, type TargetWorkflow } from '../discover.ts'

/** Whose configs may be loaded, which runs them. */
export interface WorkspaceTrust {
  /** Whether the user told the editor to trust the workspace. */
  readonly trusted: boolean
  /** The workspace; undefined where the editor opened no folder. */
  readonly folders: readonly string[] | undefined
}

export const untrusted: WorkspaceTrust = { trusted: false, folders: undefined }

interface InitializeParams {
  readonly initializationOptions?: { readonly trusted?: unknown } | null
  readonly workspaceFolders?: readonly { readonly uri: string }[] | null
  readonly rootUri?: string | null
}

/** What `initialize` says. */
export function readTrust(params: object): WorkspaceTrust {
  const { initializationOptions, workspaceFolders, rootUri } = params as InitializeParams
  const uris = workspaceFolders?.map(({ uri }) => uri) ?? (rootUri ? [rootUri] : undefined)
  return { trusted: initializationOptions?.trusted === true, folders: uris?.map(fileOf) }
}

export function fileOf(uri: string): string {
  return uri.startsWith('file:') ? fileURLToPath(uri) : uri
}

/** What the nearest config says of the file; nothing, and a report, where it must not or cannot be loaded. */
export async function findWorkflows(
  uri: string,
  { trusted, folders, trustConfig }: WorkspaceTrust & { readonly trustConfig: boolean },
  report: (message: string) => void,
): Promise<readonly TargetWorkflow[]> {
  if (!uri.startsWith('file:')) return []
  const file = fileOf(uri)
  const config = findConfig(dirname(file))
  if (config === undefined) return []
  if (!trustConfig && !trusted) {
    report(
      `${config} was not loaded, because that runs it and the workspace is not trusted. If you trust it, tell the editor, or set the initialization option "trusted".`,
    )
    return []
  }
  if (!trustConfig && folders !== undefined && !folders.some(folder => isInside(config, folder))) {
    report(
      `${config} was not loaded, because that runs it and it is outside the workspace. If you trust it, open its folder.`,
    )
    return []
  }
  try {
    const targets = await findTargets({ cwd: dirname(file), trustConfig }, [file])
    return targets[0]?.workflows ?? []
  } catch (error) {
    report((error as Error).message)
    return []
  }
}

function isInside(file: string, folder: string): boolean {
  const [first] = relative(folder, file).split(sep)
  return first !== '..' && relative(folder, file) !== file
}
