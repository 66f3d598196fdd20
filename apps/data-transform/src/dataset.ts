/** A table of a domain. */
export interface Dataset {
  readonly domain: string
  readonly table_name: string
}

/** A day of a table: what is read, written and locked as one. */
export interface Partition extends Dataset {
  readonly ds: string
}

/** `ds=2025-09-07`, as the contract names partitions. */
export function partitionName({ ds }: { readonly ds: string }): string {
  return `ds=${ds}`
}

/** Everything of a table in the curated bucket is below it. */
export function datasetPrefix({ domain, table_name }: Dataset): string {
  return `${domain}/${table_name}/`
}

/** What readers look at: the manifest is in it. */
export function partitionPrefix(partition: Partition): string {
  return `${datasetPrefix(partition)}${partitionName(partition)}/`
}

/** Where the data of all runs of a partition is, published or not; without `_`, which Athena and Spark pass over. */
export function runsPrefix(partition: Partition): string {
  return `${datasetPrefix(partition)}runs/${partitionName(partition)}/`
}

export function manifestKey(partition: Partition): string {
  return `${partitionPrefix(partition)}_manifest.json`
}

/** For Athena and Hive: a table of SymlinkTextInputFormat reads the files that it names. */
export function symlinkKey(partition: Partition): string {
  return `${partitionPrefix(partition)}symlinks`
}

/** The table's columns, and what is known of their values. */
export function typesKey(dataset: Dataset): string {
  return `${datasetPrefix(dataset)}_schema/types.json`
}

/** The fingerprint of the table's columns. */
export function latestSchemaKey(dataset: Dataset): string {
  return `${datasetPrefix(dataset)}_schema/latest.json`
}

/** The fingerprint that the catalog has seen. */
export function previousSchemaKey(dataset: Dataset): string {
  return `${datasetPrefix(dataset)}_schema/previous.json`
}

export function tableSettingsKey({ domain, table_name }: Dataset): string {
  return `_settings/${domain}/${table_name}.json`
}

/** Where the raw files of a day may be, in direct mode. */
export function rawPrefixes({ domain, table_name, ds }: Partition): readonly string[] {
  return ['ds', 'ingestion_date'].map(name => `${domain}/${table_name}/${name}=${ds}/`)
}

export function s3Uri(bucket: string, key: string): string {
  return `s3://${bucket}/${key}`
}
