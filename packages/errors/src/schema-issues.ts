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
export function toIssues(value: unknown): Issue[] | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined
  if (!value.every(issue => typeof issue?.message === 'string')) return undefined
  return (value as SchemaIssue[]).map(({ path = [], message }) => ({
    path: path.map(segment => String(typeof segment === 'object' ? segment.key : segment)).join('.'),
    message,
  }))
}

/** `email: is not an address; rows.2.name: is required` */
export function describeIssues(issues: readonly Issue[]): string {
  const shown = issues.slice(0, 5).map(({ path, message }) => (path === '' ? message : `${path}: ${message}`))
  if (issues.length > shown.length) shown.push(`and ${issues.length - shown.length} more`)
  return shown.join('; ')
}
