import { describe, expect, it } from 'vitest'
import { checkPattern, matchesPattern } from './event-pattern.ts'
import { parseWildcard } from './wildcard.ts'

const event = {
  source: 'aws.states',
  'detail-type': 'Step Functions Execution Status Change',
  resources: ['arn:one', 'arn:two'],
  detail: {
    status: 'FAILED',
    name: 'import-1.csv',
    rows: 300,
    ratio: 0.5,
    ip: '10.0.0.7',
    six: '2001:db8::7',
    empty: '',
    nothing: null,
    done: true,
    none: [],
    parts: [
      { kind: 'a', size: 1 },
      { kind: 'b', size: 9, weight: 2 },
    ],
    'dotted.name': 'x',
    nested: [['deep', [{ name: 'deeper' }]]],
    $or: 'yes',
  },
}

describe('matchesPattern', () => {
  it.each<[string, object, boolean]>([
    ['one of several values', { source: ['aws.s3', 'aws.states'] }, true],
    ['another value', { source: ['aws.s3'] }, false],
    ['a value of a list', { resources: ['arn:two'] }, true],
    ['a field inside', { detail: { status: ['FAILED', 'TIMED_OUT'] } }, true],
    ['a field inside of another value', { source: ['aws.states'], detail: { status: ['SUCCEEDED'] } }, false],
    ['a field that is not there', { detail: { error: ['x'] } }, false],
    ['a field inside of what is not there', { detail: { deep: { er: ['x'] } } }, false],
    ['an inherited field', { detail: { toString: [{ exists: true }] } }, false],
    ['null', { detail: { nothing: [null] } }, true],
    ['an empty text', { detail: { empty: [''] } }, true],
    ['true', { detail: { done: [true] } }, true],
    ['the text of a number', { detail: { rows: ['300'] } }, false],
    ['an object of a list as a whole', { detail: { parts: { kind: ['b'], size: [9] } } }, true],
    ['two objects of a list together', { detail: { parts: { kind: ['a'], size: [9] } } }, false],
    ['a prefix', { detail: { name: [{ prefix: 'import-' }] } }, true],
    ['another prefix', { detail: { name: [{ prefix: 'export-' }] } }, false],
    ['a prefix of a number', { detail: { rows: [{ prefix: '3' }] } }, false],
    ['a prefix in any case', { detail: { name: [{ prefix: { 'equals-ignore-case': 'IMP' } }] } }, true],
    ['a suffix', { detail: { name: [{ suffix: '.csv' }] } }, true],
    ['any case', { detail: { status: [{ 'equals-ignore-case': 'failed' }] } }, true],
    ['a wildcard', { detail: { name: [{ wildcard: 'im*-*.csv' }] } }, true],
    ['another wildcard', { detail: { name: [{ wildcard: 'im*.txt' }] } }, false],
    ['a star that is meant', { detail: { name: [{ wildcard: 'import\\*' }] } }, false],
    ['a dot in a wildcard', { detail: { name: [{ wildcard: 'import-1?csv' }] } }, false],
    ['a range', { detail: { rows: [{ numeric: ['>', 0, '<=', 300] }] } }, true],
    ['a range that ends before', { detail: { rows: [{ numeric: ['>=', 1, '<', 300] }] } }, false],
    ['an equal number', { detail: { ratio: [{ numeric: ['=', 0.5] }] } }, true],
    ['a range of a text', { detail: { name: [{ numeric: ['>', 0] }] } }, false],
    ['an address', { detail: { ip: [{ cidr: '10.0.0.0/24' }] } }, true],
    ['an address elsewhere', { detail: { ip: [{ cidr: '10.0.1.0/24' }] } }, false],
    ['an address of six', { detail: { six: [{ cidr: '2001:db8::/32' }] } }, true],
    ['an address that is none', { detail: { name: [{ cidr: '10.0.0.0/8' }] } }, false],
    ['anything but', { detail: { status: [{ 'anything-but': 'SUCCEEDED' }] } }, true],
    ['anything but that', { detail: { status: [{ 'anything-but': ['RUNNING', 'FAILED'] }] } }, false],
    ['anything but a number', { detail: { rows: [{ 'anything-but': [1, 2] }] } }, true],
    ['anything but of nothing', { detail: { error: [{ 'anything-but': 'x' }] } }, false],
    ['anything but a prefix', { detail: { name: [{ 'anything-but': { prefix: 'export' } }] } }, true],
    [
      'anything but prefixes',
      { detail: { name: [{ 'anything-but': { prefix: ['export', 'import'] } }] } },
      false,
    ],
    ['anything but a suffix', { detail: { name: [{ 'anything-but': { suffix: '.csv' } }] } }, false],
    ['anything but a wildcard', { detail: { name: [{ 'anything-but': { wildcard: '*2*' } }] } }, true],
    [
      'anything but in any case',
      { detail: { status: [{ 'anything-but': { 'equals-ignore-case': 'failed' } }] } },
      false,
    ],
    ['what exists', { detail: { nothing: [{ exists: true }] } }, true],
    ['what does not exist', { detail: { error: [{ exists: false }] } }, true],
    ['what exists though it must not', { detail: { status: [{ exists: false }] } }, false],
    ['a text in anything but of a prefix', { detail: { rows: [{ 'anything-but': { prefix: 'x' } }] } }, true],
    [
      'null in anything but of a suffix',
      { detail: { nothing: [{ 'anything-but': { suffix: 'x' } }] } },
      true,
    ],
    [
      'true in anything but of a wildcard',
      { detail: { done: [{ 'anything-but': { wildcard: '*' } }] } },
      true,
    ],
    ['anything but, on objects of a list', { detail: { parts: [{ 'anything-but': 'x' }] } }, false],
    ['exists, on objects of a list', { detail: { parts: [{ exists: true }] } }, false],
    ['a name with dots for nested objects', { 'detail.status': ['FAILED'] }, true],
    ['nested names for a name with dots', { detail: { dotted: { name: ['x'] } } }, true],
    ['a list in a list', { detail: { nested: ['deep'] } }, true],
    ['an object in a list in a list', { detail: { nested: { name: ['deeper'] } } }, true],
    ['an address that is spelled in another way', { detail: { six: ['2001:db8:0:0:0:0:0:7'] } }, true],
    [
      'what is absent from the element that matched',
      { detail: { parts: { kind: ['a'], weight: [{ exists: false }] } } },
      true,
    ],
    [
      'what the element that matched has',
      { detail: { parts: { kind: ['b'], weight: [{ exists: false }] } } },
      false,
    ],
    ['$or as a field', { detail: { $or: [{ prefix: 'ye' }, { prefix: 'no' }] } }, true],
    ['an object, which does not count as existing', { detail: [{ exists: true }] }, false],
    ['an empty list, which does not either', { detail: { none: [{ exists: false }] } }, true],
    ['a filter or a value', { detail: { status: ['X', { prefix: 'FAI' }] } }, true],
    [
      'one of two patterns',
      { source: ['aws.states'], detail: { $or: [{ rows: [{ numeric: ['<', 9] }] }, { done: [true] }] } },
      true,
    ],
    ['none of two patterns', { $or: [{ source: ['x'] }, { 'detail-type': ['y'] }] }, false],
  ])('takes %s as EventBridge does', (_what, pattern, expected) => {
    expect(matchesPattern(pattern as Record<string, unknown>, event)).toBe(expected)
  })
})

describe('a wildcard', () => {
  it.each([
    ['*', '', true],
    ['a*', 'a', true],
    ['a*c', 'abc', true],
    ['a*c', 'abcd', false],
    ['*b*d*', 'abcde', true],
    ['*ab', 'aab', true],
    ['a\\*c', 'a*c', true],
    ['a\\*c', 'abc', false],
    ['a\\\\*', 'a\\b', true],
    ['a.c', 'abc', false],
    ['line*end', 'line\nend', true],
  ])('%j takes %j: %j', (pattern, value, expected) => {
    expect(matchesPattern({ a: [{ wildcard: pattern }] }, { a: value })).toBe(expected)
  })

  it('is compared in a time that grows with its length and no faster', () => {
    const { matches } = parseWildcard(`${'*a'.repeat(200)}*b`)
    expect(matches('a'.repeat(20_000))).toBe(false)
  })
})

const eleven = Array.from({ length: 11 }, (_, index) => ({ n: [index] }))
const manyCombinations = { $or: eleven, b: { $or: eleven, c: { $or: eleven } } }

describe('checkPattern', () => {
  it.each<[unknown, RegExp]>([
    ['text', /not an object/],
    [{}, /Empty objects/],
    [{ source: 'aws.s3' }, /"source" must be an object or an array/],
    [{ source: [] }, /Empty arrays/],
    [{ source: [['a']] }, /Match value must be/],
    [{ source: [{ begins: 'a' }] }, /Unrecognized match type begins/],
    [{ source: [{ prefix: 'a', suffix: 'b' }] }, /Only one key/],
    [{ source: [{ prefix: 1 }] }, /prefix match pattern must be a string/],
    [{ source: [{ exists: 'yes' }] }, /either true or false/],
    [{ n: [{ numeric: ['>'] }] }, /numeric/],
    [{ n: [{ numeric: [] }] }, /numeric/],
    [{ n: [{ numeric: ['>', 0, '<'] }] }, /Value of < must be numeric/],
    [{ n: [{ numeric: ['<', 5, '>', 0] }] }, /Too many elements/],
    [{ n: [{ numeric: ['>', 5, '<', 5] }] }, /Bottom must be less than top/],
    [{ n: [{ numeric: ['>', 5, '=', 9] }] }, /Bad numeric range operator: =/],
    [{ n: [{ numeric: ['!', 5] }] }, /Unrecognized numeric range operator: !/],
    [{ ip: [{ cidr: '10.0.0.0' }] }, /Malformed CIDR, one '\/' required/],
    [{ ip: [{ cidr: '10.0.0.0/32' }] }, /IPv4 mask bits must be < 32/],
    [{ ip: [{ cidr: '::1/128' }] }, /IPv6 mask bits must be < 128/],
    [{ ip: [{ cidr: '10.0.0/8' }] }, /Nonstandard IP address: 10.0.0/],
    [{ ip: [{ cidr: '300.0.0.0/8' }] }, /Invalid IP address: 300.0.0.0/],
    [{ ip: [{ cidr: '10.0.0.0/99999999999' }] }, /mask bits must be an integer/],
    [{ n: [{ numeric: ['>', 1], exists: true }] }, /Too many elements in numeric expression/],
    [{ $or: [{ a: { prefix: ['x'] } }, { b: ['c'] }] }, /Unrecognized match type a/],
    [{ a: [{ wildcard: 'a**' }] }, /Consecutive wildcard characters at pos 2/],
    [{ a: [{ wildcard: 'a\\b' }] }, /Invalid escape character at pos 2/],
    [{ a: [{ wildcard: ['a'] }] }, /wildcard match pattern must be a string/],
    [{ a: [{ wildcard: '*:*:*:*:*:event-bus/*' }] }, /too complex/],
    [{ a: [{ wildcard: '*a*b*' }, { wildcard: '*c*d*' }, { wildcard: '*e*f*g*' }] }, /too complex/],
    [{ a: [{ 'anything-but': { wildcard: '*a*a*a*a*a*a' } }] }, /too complex/],
    [{ a: [{ 'equals-ignore-case': ['a'] }] }, /must be a string/],
    [{ a: [{ prefix: { suffix: 'a' } }] }, /Unsupported prefix pattern: suffix/],
    [{ a: [{ 'anything-but': { exists: true } }] }, /anything-but/],
    [{ a: [{ 'anything-but': { prefix: '' } }] }, /Null prefix/],
    [{ a: [{ 'anything-but': { suffix: ['a', ''] } }] }, /Null prefix/],
    [{ a: [{ 'anything-but': ['a', 1] }] }, /mixed type/],
    [{ a: [{ 'anything-but': [] }] }, /mixed type/],
    [{ a: [{ 'anything-but': true }] }, /must be an array or single string/],
    [{ a: [{ 'anything-but': { prefix: 'a', suffix: 'b' } }] }, /Too many elements/],
    [{ a: [{}] }, /name not found/],
    [{ $or: [{ a: ['b'] }] }, /Unrecognized match type a/],
    [manyCombinations, /over 1000 rule combinations/],
  ])('refuses %j', (pattern, message) => {
    expect(() => checkPattern(pattern)).toThrow(message)
  })
})
