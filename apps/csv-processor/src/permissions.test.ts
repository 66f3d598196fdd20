import { appPolicies, deployedPlaces, type Statement } from '@stepwright/policy'
import { expect, it } from 'vitest'
import { app } from './app.ts'

const roles = appPolicies(app, { places: deployedPlaces(app) })

function statementsOf(name: string): readonly Statement[] {
  return roles.find(role => role.name === name)?.document.Statement ?? []
}

it('lets nobody do anything to everything, but for log deliveries, which have no resources', () => {
  for (const { Action, Resource } of roles.flatMap(({ document }) => document.Statement)) {
    for (const action of Action) expect(action).not.toContain('*')
    if (Resource.includes('*')) expect(Action.every(action => /^(logs|xray):/.test(action))).toBe(true)
  }
})

it('lets the function neither change nor delete what it has recorded', () => {
  const actions = statementsOf('CsvProcessor').flatMap(({ Action }) => Action)
  expect(actions).toContain('dynamodb:PartiQLInsert')
  expect(actions.filter(action => /Delete|Update|PutItem/.test(action))).toEqual([])
})

it('keeps everybody below the prefixes that are his', () => {
  const objects = roles
    .flatMap(({ document }) => document.Statement)
    .filter(({ Action }) => Action.includes('s3:GetObject'))
  for (const { Resource } of objects)
    for (const arn of Resource) expect(arn).toMatch(/\/(data|chunks|results)\/\*$/)
  expect(roles.flatMap(({ notes }) => notes)).toEqual([])
})
