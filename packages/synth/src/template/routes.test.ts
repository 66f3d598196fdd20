import type { App, RouteDeclaration } from '@stepwright/app'
import { defineTask } from '@stepwright/task'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { planDeployment, toCloudFormation } from '../index.ts'
import { mergeResources } from './merge-resources.ts'

const task = defineTask({ name: 'work', input: z.any(), output: z.any(), errors: [], run: () => null })

// biome-ignore lint/suspicious/noExplicitAny: properties of any resource
type Resources = Readonly<Record<string, { readonly Type: string; readonly Properties: any }>>

/** What routes become, as a REST API if one of them streams. */
function deployed(keys: readonly string[], route: Partial<RouteDeclaration> = {}): Resources {
  const routes = Object.fromEntries(keys.map(key => [key, { function: 'Work', ...route }]))
  const app: App = {
    name: 'shop',
    root: new URL('.', import.meta.url),
    functions: { Work: { module: 'src/work.ts', kind: 'http', export: 'Work', task } },
    routes,
  }
  return toCloudFormation(planDeployment(app), () => ({})).Resources as Resources
}

/** The paths at which methods are deployed, read from the resources as API Gateway would. */
function pathsOf(resources: Resources): readonly string[] {
  const pathOf = (id: { readonly Ref?: string }): string => {
    if (id.Ref === undefined) return ''
    const { ParentId, PathPart } = resources[id.Ref]?.Properties ?? {}
    return `${pathOf(ParentId)}/${PathPart}`
  }
  return Object.values(resources).flatMap(({ Type, Properties }) =>
    Type === 'AWS::ApiGateway::Method'
      ? [`${Properties.HttpMethod} ${pathOf(Properties.ResourceId) || '/'}`]
      : [],
  )
}

const streaming = { streaming: true } as const
const lookalikes = [
  'GET /',
  'GET /users/{id}',
  'GET /users/id',
  'PUT /users/{id}',
  'GET /users/{id}/a',
  'GET /users/id/a',
  'GET /a-b',
  'GET /a/b',
  'GET /aB',
  'GET /a/1',
  'GET /a1',
  'GET /A/b',
  'GET /a_b',
]

describe('routes', () => {
  it('are deployed at their own paths by a REST API, however alike these are', () => {
    expect(pathsOf(deployed(lookalikes, streaming)).toSorted()).toEqual(lookalikes.toSorted())
  })

  it('are deployed at their own paths by an HTTP API, however alike these are', () => {
    const keys = Object.values(deployed(lookalikes)).flatMap(({ Properties }) => Properties.RouteKey ?? [])
    expect(keys.toSorted()).toEqual(lookalikes.toSorted())
  })

  it('keep their logical ids when others are added, or CloudFormation would create a path twice', () => {
    const all = Object.keys(deployed(lookalikes, streaming)).filter(id => /(Path|Method)$/.test(id))
    for (const key of lookalikes) {
      const alone = Object.keys(deployed([key], streaming)).filter(id => /(Path|Method)$/.test(id))
      expect(all).toEqual(expect.arrayContaining(alone))
    }
  })

  it.each([
    ['GET /users/{id}', 'DELETE /users/{name}', '/users/{id} and /users/{name}'],
    ['GET /{id}', 'GET /{path+}', '/{id} and /{path+}'],
    ['GET /a/{b}/c', 'GET /a/{d}/c', '/a/{b} and /a/{d}'],
  ])('of a REST API have one variable in each place: not %s beside %s', (one, other, paths) => {
    expect(() => deployed([one, other], streaming)).toThrow(
      new TypeError(
        `the paths ${paths}: a REST API takes one variable in each place; give both the same name`,
      ),
    )
    expect(() => deployed([one, other])).not.toThrow()
  })

  it('are deployed again when anything in the snapshot changes: a path, a method or the authorizer', () => {
    const deploymentOf = (resources: Resources): string | undefined =>
      Object.keys(resources).find(id => resources[id]?.Type === 'AWS::ApiGateway::Deployment')
    const open = { ...streaming, authorized: false }
    const ids = [
      deployed(['GET /a'], streaming),
      deployed(['GET /a'], open),
      deployed(['GET /b'], streaming),
      deployed(['PUT /a'], streaming),
    ].map(deploymentOf)
    expect(new Set(ids).size).toBe(ids.length)
    expect(deploymentOf(deployed(['GET /a'], streaming))).toBe(ids[0])
  })

  it('wait for the whole snapshot, the authorizer too, before they are deployed', () => {
    const all = deployed(['GET /a'], streaming)
    const snapshot = Object.values(all).find(({ Type }) => Type === 'AWS::ApiGateway::Deployment')
    expect(snapshot).toMatchObject({ DependsOn: ['ApiAuthorizer', 'APath', 'GETAMethod'] })
  })
})

describe('mergeResources', () => {
  it('refuses two things of one id', () => {
    const one = { Work: { Type: 'AWS::SQS::Queue', Properties: {} } }
    expect(() => mergeResources(one, one)).toThrow('two things of the app would be called Work')
  })
})
