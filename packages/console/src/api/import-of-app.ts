import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { ConsoleProblem } from '../problem.ts'
import type { ApiContext } from './context.ts'

/** The app's own copy of a package: what it wrote is read by what wrote it. */
export async function importOfApp<T>({ app }: Pick<ApiContext, 'app'>, name: string): Promise<T> {
  let file: string
  try {
    file = createRequire(new URL('package.json', app.root)).resolve(name)
  } catch {
    throw new ConsoleProblem(404, `This needs ${name}, and the app does not have it.`)
  }
  return (await import(pathToFileURL(file).href)) as T
}
