import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { definition } from './test/memory-world.ts'

interface Policy {
  readonly Statement: readonly { readonly Action: readonly string[]; readonly Resource: readonly string[] }[]
}

const {
  stateMachine,
  function: ofFunction,
  starter,
} = JSON.parse(await readFile(new URL('../permissions.json', import.meta.url), 'utf8')) as Readonly<
  Record<'stateMachine' | 'function' | 'starter', Policy>
>

function actionsOf({ Statement }: Policy): string[] {
  return Statement.flatMap(({ Action }) => Action)
}

it('lets the state machine do what its states do', () => {
  const needed: Readonly<Record<string, readonly string[]>> = {
    '${CsvProcessor}': ['lambda:InvokeFunction'],
    'arn:aws:states:::s3:getObject': ['s3:GetObject'],
    'arn:aws:states:::s3:putObject': ['s3:PutObject', 's3:AbortMultipartUpload'],
  }
  const used = [...JSON.stringify(definition).matchAll(/"Resource":"([^"]+)"/g)].map(
    ([, resource]) => resource,
  )
  expect(new Set(used)).toEqual(new Set(Object.keys(needed)))
  for (const action of Object.values(needed).flat()) expect(actionsOf(stateMachine)).toContain(action)
})

it('lets nobody do anything to everything, but for log deliveries, which have no resources', () => {
  for (const { Action, Resource } of [stateMachine, ofFunction, starter].flatMap(
    ({ Statement }) => Statement,
  )) {
    for (const action of Action) expect(action).not.toContain('*')
    if (Resource.includes('*')) expect(Action.every(action => action.startsWith('logs:'))).toBe(true)
  }
})

it('lets the function neither change nor delete what it has recorded', () => {
  expect(actionsOf(ofFunction).filter(action => /Delete|Update/.test(action))).toEqual([])
})
