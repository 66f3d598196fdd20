import { join } from 'node:path'
import { createAppendFiles } from '@stepwright/local-server'
import type { Activity } from '../machines/activities.ts'
import type { Alias } from '../machines/aliases.ts'
import type { Machine } from '../machines/machines.ts'
import type { MachineVersion } from '../machines/versions.ts'
import { type Catalogue, createMemoryCatalogue, openFileCatalogue, type ReportProblem } from './catalogue.ts'
import type { ExecutionStore, Retention } from './execution-store.ts'
import { createFileExecutionStore } from './file-execution-store.ts'
import { createMemoryExecutionStore } from './memory-execution-store.ts'

export interface Storage {
  readonly machines: Catalogue<Machine>
  readonly versions: Catalogue<MachineVersion>
  readonly aliases: Catalogue<Alias>
  readonly activities: Catalogue<Activity>
  readonly store: ExecutionStore
}

export interface StorageOptions {
  readonly dataDirectory: string | undefined
  readonly sync: boolean
  readonly now: () => number
  readonly onProblem: ReportProblem
  readonly retention?: Retention
}

/** Everything that a server keeps: in a directory, or in memory without one. */
export function openStorage({
  dataDirectory,
  sync,
  now,
  onProblem,
  retention = {},
}: StorageOptions): Storage {
  if (dataDirectory === undefined) {
    return {
      machines: createMemoryCatalogue(),
      versions: createMemoryCatalogue(),
      aliases: createMemoryCatalogue(),
      activities: createMemoryCatalogue(),
      store: createMemoryExecutionStore(retention),
    }
  }
  const files = createAppendFiles()
  const catalogue = <T>(name: string): Catalogue<T> =>
    openFileCatalogue(join(dataDirectory, `${name}.jsonl`), files, onProblem)
  return {
    machines: catalogue('state-machines'),
    versions: catalogue('versions'),
    aliases: catalogue('aliases'),
    activities: catalogue('activities'),
    store: createFileExecutionStore({
      directory: join(dataDirectory, 'executions'),
      files,
      sync,
      now,
      onProblem,
      retention,
    }),
  }
}
