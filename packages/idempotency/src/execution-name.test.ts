import { DataValidationError, isTaskError } from '@stepwright/errors'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { executionName, type S3EventBridgeEvent, type S3NotificationRecord } from './execution-name.ts'

type Facts = S3EventBridgeEvent['detail']['object']

function created(key: string, facts: Facts = { versionId: 'v1' }, bucket = 'inbox'): S3EventBridgeEvent {
  return {
    detail: { bucket: { name: bucket }, object: { key, ...facts } },
  }
}
function notified(key: string, facts: Facts, bucket = 'inbox'): S3NotificationRecord {
  return {
    s3: { bucket: { name: bucket }, object: { key, ...facts } },
  }
}
const badEvent = expect.toSatisfy(error => isTaskError(error, DataValidationError))

describe('executionName', () => {
  it.each([
    ['data/user-log-20240802-001.csv', 'user-log-20240802-001'],
    ['input/report_2024_08_02.csv', 'report-2024-08-02'],
    ['a/b/--x  y--.tar.gz', 'x-y-tar'],
    ['no-extension', 'no-extension'],
    ['売上.csv', 'object'],
    ['売上-2024.csv', '2024'],
    ['folder/', 'object'],
    ['.hidden', 'object'],
  ])('reads %s as %s and a hash', (key, readable) => {
    expect(executionName(created(key))).toMatch(new RegExp(`^${readable}-[a-z2-7]{16}$`))
  })

  it('never changes for a given object version', () => {
    expect(executionName(created('data/user-log-20240802-001.csv', { versionId: 'version123' }))).toBe(
      'user-log-20240802-001-43m7rljemuz73472',
    )
  })

  it('is always a valid name, and another one for another bucket, key or version', () => {
    const name = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 120 })
    const version = fc.record({ bucket: name, key: name, id: name })
    fc.assert(
      fc.property(version, version, (a, b) => {
        const first = executionName(created(a.key, { versionId: a.id }, a.bucket))
        const second = executionName(created(b.key, { versionId: b.id }, b.bucket))
        expect(first).toMatch(/^[0-9A-Za-z_-]{1,80}$/)
        expect(first === second).toBe(a.bucket === b.bucket && a.key === b.key && a.id === b.id)
      }),
    )
  })

  it('keeps apart what sanitising or cutting makes look alike', () => {
    const keys = ['a b.csv', 'a_b.csv', 'a-b.csv', 'x/a-b.csv', 'a-b.txt', '\u00e9.csv', 'e\u0301.csv']
    const long = ['1', '2'].map(end => `${'long-'.repeat(40)}${end}.csv`)
    const names = [...keys, ...long].map(key => executionName(created(key)))
    expect(new Set(names).size).toBe(names.length)
  })

  it('is the same by EventBridge and by S3 notification, whose keys are URL-encoded', () => {
    const facts = { sequencer: '0055AED6DCD90281E5' }
    const byBridge = executionName(created('in box/売上+1.csv', { etag: 'd85b', ...facts }))
    const record = notified('in+box/%E5%A3%B2%E4%B8%8A%2B1.csv', { eTag: '"d85b"', ...facts })
    expect(executionName(record)).toBe(byBridge)
    expect(executionName({ Records: [record] })).toBe(byBridge)
  })

  it('tells uploads apart without versioning: by content and by sequencer', () => {
    const versions: Facts[] = [
      { etag: 'e1', sequencer: '1' },
      { etag: 'e1', sequencer: '2' },
      { etag: 'e2', sequencer: '1' },
      { etag: 'e1' },
      { sequencer: '1' },
    ]
    expect(new Set(versions.map(facts => executionName(created('a.csv', facts)))).size).toBe(5)
  })

  it('ignores etag and sequencer where there is a version id, in either spelling, unless it is "null"', () => {
    const name = executionName(created('a.csv', { versionId: 'v1' }))
    expect(executionName(created('a.csv', { 'version-id': 'v1', etag: 'e1' }))).toBe(name)
    const suspended = executionName(created('a.csv', { versionId: 'null', etag: 'e1' }))
    expect(suspended).toBe(executionName(created('a.csv', { etag: 'e1' })))
  })

  it.each([
    ['no version', created('a.csv', {})],
    ['no key', created('')],
    ['no bucket', created('a.csv', { versionId: 'v1' }, '')],
    ['no object', {} as S3EventBridgeEvent],
    ['two records', { Records: [notified('a', { eTag: 'e' }), notified('b', { eTag: 'e' })] }],
    ['no records', { Records: [] }],
    ['a key that was not encoded', notified('100%', { eTag: 'e' })],
  ])('refuses an event with %s', (_, event) => {
    expect(() => executionName(event)).toThrow(badEvent)
  })
})
