/** A `pg` pool or client, or what runs statements in a transaction of yours. */
export interface Queryable {
  query(
    text: string,
    values?: unknown[],
  ): Promise<{ readonly rows: unknown[]; readonly rowCount: number | null }>
}

/** With its schema, if need be: `mailing.suppressions`. */
export function quote(name: string): string {
  return name
    .split('.')
    .map(part => `"${part.replaceAll('"', '""')}"`)
    .join('.')
}
