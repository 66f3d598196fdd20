import type { DuckDBConnection } from '@duckdb/node-api'

export interface DuckDbOptions {
  readonly threads: number
  /** What DuckDB may hold in memory; beyond it, it uses the directory. */
  readonly memoryLimitMb: number
  readonly temporaryDirectory: string
}

/** A database in memory that fetches nothing: no extension is installed or loaded but those it is built with. */
export async function openDuckDb({
  threads,
  memoryLimitMb,
  temporaryDirectory,
}: DuckDbOptions): Promise<DuckDBConnection & Disposable> {
  const { DuckDBInstance } = await import('@duckdb/node-api').catch(cause => {
    throw new Error('install @duckdb/node-api to run the job on this machine', { cause })
  })
  const instance = await DuckDBInstance.create(':memory:', {
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    allow_community_extensions: 'false',
    threads: String(threads),
    memory_limit: `${memoryLimitMb}MB`,
    temp_directory: temporaryDirectory,
  })
  const connection = await instance.connect()
  await connection.run("SET TimeZone = 'UTC'")
  return Object.assign(connection, {
    [Symbol.dispose]() {
      connection.closeSync()
      instance.closeSync()
    },
  })
}

export function quoteText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

export function listOfTexts(texts: readonly string[]): string {
  return `[${texts.map(quoteText).join(', ')}]`
}
