import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { BusEvent } from './event.ts'
import { targetInput } from './target-input.ts'

const event: BusEvent = {
  version: '0',
  id: 'id-1',
  'detail-type': 'Order',
  source: 'shop',
  account: '000000000000',
  time: '2026-11-16T09:00:30Z',
  region: 'us-east-1',
  resources: ['arn:a'],
  detail: { name: 'a "pen"\n', total: 3, nothing: null, tags: ['a', 'b'], parts: [{ size: 1 }, { size: 2 }] },
}
const rule = { name: 'orders', arn: 'arn:aws:events:us-east-1:000000000000:rule/orders' }
const paths = {
  name: '$.detail.name',
  total: '$.detail.total',
  nothing: '$.detail.nothing',
  tags: '$.detail.tags',
  parts: '$.detail.parts',
  sizes: '$.detail.parts[*].size',
  second: "$.detail['parts'][1]",
  missing: '$.detail.missing',
}

function fill(InputTemplate: string, InputPathsMap: Readonly<Record<string, string>> = paths): string {
  return targetInput(
    { Id: 'one', Arn: 'arn:x', InputTransformer: { InputPathsMap, InputTemplate } },
    event,
    rule,
  )
}

describe('targetInput', () => {
  it.each<[string, string, unknown]>([
    ['a missing value as an empty text', '{"p": <missing>}', { p: '' }],
    ['a missing value in a text as nothing', '{"p": "[<missing>]"}', { p: '[]' }],
    ['null as null', '{"p": <nothing>}', { p: null }],
    ['a list as a list', '{"p": <tags>}', { p: ['a', 'b'] }],
    ['a list in a text without quotes', '{"p": "tags: <tags>"}', { p: 'tags: [a,b]' }],
    ['an object in a text without quotes', '"part <second>"', 'part {size:2}'],
    ['all that a star finds', '{"p": <sizes>}', { p: [1, 2] }],
    ['a text with quotes in a text', '{"p": "<name>"}', { p: 'a "pen"\n' }],
    ['a text with quotes by itself', '{"p": <name>}', { p: 'a "pen"\n' }],
    ['the rule', '{"p": "<aws.events.rule-name>"}', { p: 'orders' }],
    ['the event', '<aws.events.event.json>', event],
    [
      'the event without its detail',
      '{"p": <aws.events.event>}',
      {
        p: {
          version: '0',
          id: 'id-1',
          detailType: 'Order',
          source: 'shop',
          account: '000000000000',
          time: '2026-11-16T09:00:30Z',
          region: 'us-east-1',
          resources: ['arn:a'],
        },
      },
    ],
  ])('writes %s', (_what, template, expected) => {
    expect(JSON.parse(fill(template))).toEqual(expected)
  })

  it('writes values as they are into a template that is not JSON', () => {
    expect(fill('it costs <total><missing> for <tags>')).toBe('it costs 3 for ["a","b"]')
  })

  it('always fills a JSON template in to JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), value => {
        const given = { ...event, detail: { value } }
        const InputTransformer = {
          InputPathsMap: { value: '$.detail.value' },
          InputTemplate: '{"plain": <value>, "text": "it is <value>", "all": "<aws.events.event.json>"}',
        }
        const text = targetInput({ Id: 'one', Arn: 'arn:x', InputTransformer }, given, rule)
        expect(JSON.parse(text)).toMatchObject({ plain: JSON.parse(JSON.stringify(value)) })
      }),
    )
  })
})
