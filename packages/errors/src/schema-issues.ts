/** One thing that a schema found wrong, with a path people can read: `recipients.3.email`. */
export interface Issue {
  readonly path: string
  readonly message: string
}

interface SchemaIssue {
  readonly message: string
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}

/** Standard Schema issues (zod's, valibot's, arktype's) as plain data; undefined if the value has none. */
export function toIssues(issues: unknown): Issue[] | undefined {
  return Array.isArray(issues) && issues[0]?.message
    ? issues.map(({ path = [], message }: SchemaIssue) => ({
        path: path.map(segment => String((segment as { key?: PropertyKey }).key ?? segment)).join('.'),
        message,
      }))
    : undefined
}

/** `email: is not an address; rows.2.name: is required` */
export function describeIssues(issues: readonly Issue[]): string {
  const shown = issues.slice(0, 5).map(({ path, message }) => (path && `${path}: `) + message)
  return shown.join('; ') + (issues[5] ? '; ...' : '')
}
