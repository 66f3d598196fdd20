import * as z from 'zod/mini'
import { type Dataset, datasetPrefix, s3Uri } from './dataset.ts'
import { type ColumnType, isList, isStruct, parseType, printType, sameName } from './typing/column-type.ts'

const named = z.array(z.object({ Name: z.string(), Type: z.string() }))

/** The part of Glue's `TableInput` that a table of this app has. */
export const tableInput = z.object({
  Name: z.string(),
  TableType: z.literal('EXTERNAL_TABLE'),
  Parameters: z.record(z.string(), z.string()),
  PartitionKeys: named,
  StorageDescriptor: z.object({
    Location: z.string(),
    InputFormat: z.string(),
    OutputFormat: z.string(),
    SerdeInfo: z.object({ SerializationLibrary: z.string() }),
    Columns: named,
  }),
})
export type TableInput = z.infer<typeof tableInput>

/** What a table is called in the catalog: `shop__orders`. */
export function catalogTableName({ domain, table_name }: Dataset): string {
  return `${domain}__${table_name}`
}

/**
 * A table whose rows are those of the manifests, and no others: Athena reads the files that `ds=…/symlinks` names. Days are
 * projected, so that a day is there as soon as it is published, and one that is not has no rows.
 */
export function toTableInput(
  dataset: Dataset,
  columns: readonly { readonly name: string; readonly type: string | null }[],
  bucket: string,
): TableInput {
  return {
    Name: catalogTableName(dataset),
    TableType: 'EXTERNAL_TABLE',
    Parameters: {
      EXTERNAL: 'TRUE',
      'projection.enabled': 'true',
      'projection.ds.type': 'date',
      'projection.ds.format': 'yyyy-MM-dd',
      'projection.ds.range': '2000-01-01,NOW+1YEARS',
    },
    PartitionKeys: [{ Name: 'ds', Type: 'string' }],
    StorageDescriptor: {
      Location: s3Uri(bucket, datasetPrefix(dataset)),
      InputFormat: 'org.apache.hadoop.hive.ql.io.SymlinkTextInputFormat',
      OutputFormat: 'org.apache.hadoop.hive.ql.io.HiveIgnoreKeyTextOutputFormat',
      SerdeInfo: { SerializationLibrary: 'org.apache.hadoop.hive.ql.io.parquet.serde.ParquetHiveSerDe' },
      Columns: columns.flatMap(({ name, type }) =>
        // The key of the partitions cannot be a column as well.
        type === null || sameName(name) === 'ds'
          ? []
          : [{ Name: sameName(name), Type: printType(toCatalogType(parseType(type))) }],
      ),
    },
  }
}

/** The catalog knows one kind of time. */
function toCatalogType(type: ColumnType): ColumnType {
  if (isList(type)) return { items: toCatalogType(type.items) }
  if (isStruct(type)) {
    return { fields: type.fields.map(({ name, type: of }) => ({ name, type: toCatalogType(of) })) }
  }
  return type === 'timestamp_ntz' ? 'timestamp' : type
}
