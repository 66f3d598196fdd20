import { describe, expect, it } from 'vitest'
import { isAllowed } from './index.ts'
import { allow } from './statement.ts'

const statements = [
  allow('Read', ['s3:Get*'], ['arn:aws:s3:::data/in/*']),
  allow('List', ['s3:ListBucket'], ['arn:aws:s3:::data'], { StringLike: { 's3:prefix': ['in/*'] } }),
  allow('Secret', ['secretsmanager:GetSecretValue'], ['arn:aws:secretsmanager:r:1:secret:key-??????']),
]

describe('isAllowed', () => {
  it('reads wildcards as IAM does, and no other sign as one', () => {
    expect(isAllowed(statements, { action: 's3:GetObject', resource: 'arn:aws:s3:::data/in/a/b.csv' })).toBe(
      true,
    )
    expect(isAllowed(statements, { action: 's3:getobject', resource: 'arn:aws:s3:::data/in/a' })).toBe(true)
    expect(isAllowed(statements, { action: 's3:GetObject', resource: 'arn:aws:s3:::data/out/a' })).toBe(false)
    expect(isAllowed(statements, { action: 's3:PutObject', resource: 'arn:aws:s3:::data/in/a' })).toBe(false)
    const secret = 'arn:aws:secretsmanager:r:1:secret:key-'
    const action = 'secretsmanager:GetSecretValue'
    expect(isAllowed(statements, { action, resource: `${secret}abc123` })).toBe(true)
    expect(isAllowed(statements, { action, resource: `${secret}abc1234` })).toBe(false)
  })

  it('asks for the conditions, and takes what is not said for not met', () => {
    const list = { action: 's3:ListBucket', resource: 'arn:aws:s3:::data' }
    expect(isAllowed(statements, { ...list, context: { 's3:prefix': 'in/2026' } })).toBe(true)
    expect(isAllowed(statements, { ...list, context: { 's3:prefix': 'out/' } })).toBe(false)
    expect(isAllowed(statements, list)).toBe(false)
  })

  it('takes no condition for met that it does not understand', () => {
    const under = (condition: Readonly<Record<string, readonly string[]>>, operator: string) =>
      isAllowed([allow('Read', ['s3:GetObject'], ['*'], { [operator]: condition })], {
        action: 's3:GetObject',
        resource: 'arn:aws:s3:::data/a',
        context: { 'aws:SourceArn': 'arn:aws:events:r:1:rule/a' },
      })
    const key = 'aws:SourceArn'
    expect(under({ [key]: ['arn:aws:events:r:1:rule/*'] }, 'ArnLike')).toBe(true)
    expect(under({ [key]: ['arn:aws:events:r:1:rule/a'] }, 'StringNotEquals')).toBe(false)
    expect(under({ [key]: ['arn:aws:events:r:1:rule/*'] }, 'StringEquals')).toBe(false)
  })
})
