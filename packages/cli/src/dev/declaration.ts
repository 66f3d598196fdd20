import { Worker } from 'node:worker_threads'
import type { Look } from './declaration-worker.ts'

const worker = new URL(
  `./declaration-worker${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`,
  import.meta.url,
)

/**
 * Loads a config anew, apart from the modules that are loaded here, after a file has changed: what it declares, or why it
 * cannot be loaded.
 */
export function lookAtDeclaration(configFile: string, changedFile?: string): Promise<Look> {
  return new Promise((resolve, reject) => {
    const looking = new Worker(worker, { workerData: { configFile, changedFile } })
    looking.once('message', look => {
      resolve(look)
      void looking.terminate() // whatever the config has left open
    })
    looking.once('error', reject)
    looking.once('exit', () => reject(new Error(`${configFile} ended the process that loaded it`)))
  })
}
