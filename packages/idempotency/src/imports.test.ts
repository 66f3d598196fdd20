import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

/** What a module loads, besides what it only takes types from. */
function loadedBy(file: URL, seen = new Set<string>()): Set<string> {
  if (seen.has(file.href)) return new Set()
  seen.add(file.href)
  const statements = readFileSync(file, 'utf8').matchAll(/^(?:im|ex)port (?!type )[^;]*? from '([^']+)'/gm)
  return new Set(
    [...statements].flatMap(([, name = '']) =>
      name.startsWith('.') ? [...loadedBy(new URL(name, file), seen)] : [name],
    ),
  )
}

describe.each([
  ['index.ts', []],
  ['memory.ts', []],
  ['postgres-store.ts', []],
  ['dynamodb-store.ts', ['@aws-sdk/client-dynamodb']],
  [
    'persistence-layer.ts',
    ['@aws-lambda-powertools/idempotency', '@aws-lambda-powertools/idempotency/persistence'],
  ],
  ['step-functions-executions.ts', ['@aws-sdk/client-sfn']],
  ['tasks.ts', ['@stepwright/task', 'zod/mini']],
  ['migrations.ts', ['kysely']],
  ['testing.ts', ['@stepwright/task/testing']],
])('%s', (file, expected) => {
  it('loads nothing heavy that was not asked for', () => {
    const loaded = [...loadedBy(new URL(file, import.meta.url))]
    const foreign = loaded.filter(name => !/^(node:|@stepwright\/errors\b)/.test(name))
    expect(foreign.sort()).toEqual(expected)
  })
})
