import { defineApp } from '@stepwright/app'
import { api, reference, workflow } from '@stepwright/app/bindings'
import { eventStream, http, lambda } from '@stepwright/app/functions'
import { type Invoke, invoke } from '@stepwright/app/invoke'
import { defineTask, type Task } from '@stepwright/task'
import type { ServerSentEvent } from '@stepwright/task/http'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { planDeployment, toCloudFormation } from '../index.ts'

const any = { input: z.any(), output: z.any(), errors: [] }
const call = defineTask({
  ...any,
  name: 'call',
  run: (_input, _ports: { other: Invoke<Task> }) => null,
})
const show = defineTask({ ...any, name: 'show', run: (_input, _ports: { url: string }) => null })
const stream = defineTask({
  ...any,
  name: 'stream',
  output: z.custom<AsyncIterable<ServerSentEvent>>(),
  run: async function* (_input, _ports: { url: string }) {},
})
const again = workflow('again')
const Ping = lambda(call, { other: invoke<Task>('Pong') })
const Pong = lambda(call, { other: invoke<Task>('Ping') })
const Again = lambda(show, { url: reference(again, 'start') })
const ShowLink = http(show, { url: reference(api()) })
const StreamLink = eventStream(stream, { url: reference(api()) })

describe('a template', () => {
  it.each([
    ['an HTTP API', ShowLink],
    ['a REST API', StreamLink],
  ])(
    'has no circular dependency where functions call each other, start their own workflow and know their own URL, with %s',
    (_kind, Link) => {
      const app = defineApp({
        name: 'circles',
        root: new URL('../../test/', import.meta.url),
        functions: { Ping, Pong, Again, Link },
        workflows: [[again, { definition: 'again.asl.json' }]],
        routes: { 'GET /link': Link },
      })
      const { Resources } = toCloudFormation(planDeployment(app, { stage: 'dev' }), () => ({}))
      const uses = new Map(
        Object.entries(Resources as object).map(([id, resource]) => [
          id,
          dependenciesOf(resource, Resources),
        ]),
      )
      expect([...(uses.get('LinkFunction') ?? [])]).toContain('Api')
      expect(findCycle(uses)).toBeUndefined()
    },
  )
})

/** The resources that CloudFormation creates before this one. */
function dependenciesOf(resource: object, all: object): ReadonlySet<string> {
  const found = new Set<string>()
  JSON.stringify(resource, (key, value) => {
    if (key === 'Ref' || key === 'DependsOn') for (const id of [value].flat()) found.add(id)
    if (key === 'Fn::GetAtt') found.add([value].flat()[0].split('.')[0])
    if (key === 'Fn::Sub') {
      for (const [, id = ''] of JSON.stringify(value).matchAll(/\$\{([A-Za-z0-9]+)/g)) found.add(id)
    }
    return value
  })
  return new Set([...found].filter(id => id in all))
}

function findCycle(uses: ReadonlyMap<string, ReadonlySet<string>>): readonly string[] | undefined {
  const done = new Set<string>()
  const visit = (id: string, path: readonly string[]): readonly string[] | undefined => {
    if (path.includes(id)) return [...path.slice(path.indexOf(id)), id]
    if (done.has(id)) return undefined
    for (const next of uses.get(id) ?? []) {
      const cycle = visit(next, [...path, id])
      if (cycle) return cycle
    }
    done.add(id)
    return undefined
  }
  for (const id of uses.keys()) {
    const cycle = visit(id, [])
    if (cycle) return cycle
  }
  return undefined
}
