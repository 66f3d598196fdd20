import { describe, expect, it } from 'vitest'
import { comparePolicies, parsePolicy } from './index.ts'
import { allow } from './statement.ts'

const table = 'arn:aws:dynamodb:us-east-1:1:table/orders'
const needed = [allow('Use', ['dynamodb:GetItem', 'dynamodb:PutItem'], [table])]

describe('comparePolicies', () => {
  it('names what is missing and what is too much', () => {
    const existing = parsePolicy(
      JSON.stringify({
        Statement: { Effect: 'Allow', Action: ['dynamodb:GetItem', 'dynamodb:Scan'], Resource: table },
      }),
    )
    expect(comparePolicies(needed, existing)).toMatchObject({
      missing: [{ action: 'dynamodb:PutItem', resource: table }],
      excess: [{ action: 'dynamodb:Scan', resource: table }],
    })
  })

  it('takes a wildcard for enough, and for too much', () => {
    const existing = [allow('All', ['dynamodb:*'], ['*'])]
    expect(comparePolicies(needed, existing)).toMatchObject({
      missing: [],
      excess: [{ action: 'dynamodb:*', resource: '*' }],
    })
  })

  it('finds nothing where both are the same', () => {
    expect(comparePolicies(needed, needed)).toEqual({ missing: [], excess: [] })
  })

  it('takes a right without the condition that is needed for too much', () => {
    const condition = { StringEquals: { 'iam:PassedToService': ['ecs-tasks.amazonaws.com'] } }
    const pass = [allow('Pass', ['iam:PassRole'], ['arn:aws:iam::1:role/r'], condition)]
    const loose = [allow('Pass', ['iam:PassRole'], ['arn:aws:iam::1:role/r'])]
    expect(comparePolicies(pass, loose).excess).toHaveLength(1)
    expect(comparePolicies(pass, pass)).toEqual({ missing: [], excess: [] })
  })
})

describe('parsePolicy', () => {
  it('reads what the AWS CLI prints of a role', () => {
    const text = JSON.stringify({
      RoleName: 'r',
      PolicyDocument: { Statement: [{ Effect: 'Allow', Action: 's3:GetObject', Resource: '*' }] },
    })
    expect(parsePolicy(text)).toMatchObject([{ Action: ['s3:GetObject'], Resource: ['*'] }])
  })

  it('refuses what it would compare wrongly', () => {
    expect(() => parsePolicy('{}')).toThrow('must be a policy')
    expect(() => parsePolicy('{"Statement":[{"Effect":"Deny","Action":"*","Resource":"*"}]}')).toThrow(
      'statement 1 must allow',
    )
  })
})
