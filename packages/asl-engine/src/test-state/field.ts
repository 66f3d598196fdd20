/** What a field of a response may hold. */
export type Field =
  | 'string'
  | 'number'
  | 'boolean'
  | 'any'
  | { readonly list: Field }
  | { readonly object: Readonly<Record<string, Field>> }
  | { readonly oneOf: readonly string[] }
  | { readonly minLength: number }
  | { readonly atLeast: number; readonly atMost: number }
