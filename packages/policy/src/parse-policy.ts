import type { Conditions, Statement } from './statement.ts'

/**
 * Reads a policy that exists: a document, or the answer of `aws iam get-role-policy`.
 * @throws TypeError for what is not a policy, or denies: what a denial leaves is not compared here
 */
export function parsePolicy(text: string): readonly Statement[] {
  const value = JSON.parse(text) as Readonly<Record<string, unknown>>
  const document = (value['PolicyDocument'] ?? value) as { readonly Statement?: unknown }
  const statements = listOf(document.Statement)
  if (statements.length === 0) throw new TypeError('the file must be a policy: { "Statement": […] }')
  return statements.map((statement, index) => toStatement(statement, index))
}

function toStatement(value: unknown, index: number): Statement {
  const { Sid, Effect, Action, Resource, Condition } = (value ?? {}) as Readonly<Record<string, unknown>>
  if (Effect !== 'Allow' || Action === undefined || Resource === undefined) {
    throw new TypeError(`statement ${index + 1} must allow actions on resources; others are not compared`)
  }
  return {
    Sid: typeof Sid === 'string' ? Sid : `Statement${index + 1}`,
    Effect,
    Action: listOf(Action).map(String),
    Resource: listOf(Resource).map(String),
    ...(Condition !== undefined && { Condition: toConditions(Condition) }),
  }
}

function toConditions(value: unknown): Conditions {
  return Object.fromEntries(
    Object.entries(value as Readonly<Record<string, Readonly<Record<string, unknown>>>>).map(
      ([operator, keys]) => [
        operator,
        Object.fromEntries(Object.entries(keys).map(([key, wanted]) => [key, listOf(wanted).map(String)])),
      ],
    ),
  )
}

function listOf(value: unknown): readonly unknown[] {
  if (value === undefined) return []
  return Array.isArray(value) ? value : [value]
}
