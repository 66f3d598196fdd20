import { join } from 'node:path'
import type { App } from '@stepwright/app'
import type { Finding } from '@stepwright/asl'
import { checkFile } from '../check-file.ts'
import type { LoadedConfig } from '../config.ts'
import { createSourceFiles } from '../source-files.ts'

type ConsoleModule = typeof import('@stepwright/console')

/** The console, if it is installed. */
export async function importConsole(): Promise<ConsoleModule | undefined> {
  try {
    return await import('@stepwright/console')
  } catch (cause) {
    const { code, message = '' } = cause as NodeJS.ErrnoException
    if (code === 'ERR_MODULE_NOT_FOUND' && message.includes("'@stepwright/console'")) return undefined
    throw cause
  }
}

/** What `stepwright check` says about a workflow of the app, as its file is now. */
export function createWorkflowCheck(
  { workflows, folder, toJsonSchema }: LoadedConfig,
  app: App,
): (workflow: string) => readonly Finding[] {
  const keys = Object.keys(app.workflows ?? {})
  return workflow => {
    const declared = workflows[keys.indexOf(workflow)]
    if (declared === undefined) return []
    const target = {
      file: join(folder, declared.definition),
      workflows: [{ ...declared, ...(toJsonSchema && { toJsonSchema }) }],
    }
    try {
      return checkFile(target, { files: createSourceFiles(folder), root: folder, fix: false }).flatMap(
        ({ findings }) => findings,
      )
    } catch {
      return [] // a file that cannot be read is the business of `check`
    }
  }
}
