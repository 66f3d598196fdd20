import type { StandInContext } from '@stepwright/app/functions'
import { type ObjectStore, readJson, replaceJson } from '@stepwright/object-store'
import * as z from 'zod/mini'
import { catalogTableName, tableInput } from '../catalog-table.ts'
import type { Dataset } from '../dataset.ts'

/** A table as the local catalog keeps it. */
export const catalogTable = z.object({ DatabaseName: z.string(), TableInput: tableInput })
export type CatalogTable = z.infer<typeof catalogTable>

export interface CatalogPorts {
  readonly curated: Pick<ObjectStore, 'get' | 'put'>
}

export function catalogKey(dataset: Dataset, database = 'data_transform'): string {
  return `_catalog/${database}/${catalogTableName(dataset)}.json`
}

/** `glue:CreateTable`. */
export async function createTableIn(
  call: unknown,
  { curated }: CatalogPorts,
  { signal }: StandInContext,
): Promise<object> {
  const table = checkTable(call)
  if (await replaceJson(curated, keyOf(table), table, undefined, { signal })) return {}
  throw glueError('AlreadyExistsException', 'the table is there')
}

/** `glue:UpdateTable`. */
export async function updateTableIn(
  call: unknown,
  { curated }: CatalogPorts,
  { signal }: StandInContext,
): Promise<object> {
  const table = checkTable(call)
  const known = await readJson(curated, keyOf(table), catalogTable, { signal })
  if (known === undefined) throw glueError('EntityNotFoundException', 'there is no such table')
  if (await replaceJson(curated, keyOf(table), table, known, { signal })) return {}
  throw glueError('ConcurrentModificationException', 'the table was changed meanwhile')
}

function keyOf({ DatabaseName, TableInput }: CatalogTable): string {
  return `_catalog/${DatabaseName}/${TableInput.Name}.json`
}

const simple =
  /^(?:boolean|tinyint|smallint|int|bigint|float|double|string|binary|date|timestamp|decimal\(\d+,\d+\))$/

/** As strict as Glue and Athena: a name only once, in lower case, and types that they know. */
function checkTable(call: unknown): CatalogTable {
  const parsed = z.safeParse(catalogTable, call)
  if (!parsed.success) throw glueError('InvalidInputException', 'it is not a table')
  const { TableInput } = parsed.data
  const columns = [...TableInput.StorageDescriptor.Columns, ...TableInput.PartitionKeys]
  const names = columns.map(({ Name }) => Name)
  const isValid =
    /^[a-z0-9_-]{1,255}$/.test(TableInput.Name) &&
    new Set(names).size === names.length &&
    names.every(name => name === name.toLowerCase() && name.length <= 255) &&
    columns.every(({ Type }) => simple.test(Type) || /^(?:struct|array)<.+>$/s.test(Type))
  if (!isValid) throw glueError('InvalidInputException', 'a name or a type is not one of the catalog')
  return parsed.data
}

function glueError(name: string, message: string): Error {
  return Object.assign(new Error(message), { name: `Glue.${name}` })
}
