import { assert, property, string } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { childText, parseXml, toXml } from './xml.ts'

describe('toXml', () => {
  it('repeats arrays, leaves out what is undefined, and escapes text', () => {
    const document = toXml('R', { A: [1, 2], B: undefined, C: { D: `<&>"'\r\u0001` } }, '')
    expect(document).toBe(
      '<?xml version="1.0" encoding="UTF-8"?>\n<R><A>1</A><A>2</A><C><D>&lt;&amp;&gt;&quot;&apos;&#xd;&#x1;</D></C></R>',
    )
  })

  it('is read back by parseXml, whatever the text', () => {
    assert(
      property(string({ unit: 'binary' }), text => {
        const node = parseXml(toXml('Delete', { Key: text }))
        expect(node && childText(node, 'Key')).toBe(text)
      }),
    )
  })
})

describe('parseXml', () => {
  it('reads what SDKs send', () => {
    const node = parseXml(
      '<?xml version="1.0"?>\n<!-- a comment --><s3:Delete xmlns:s3="x"><Object a="b"><Key>a &amp; b</Key></Object><Object><Key><![CDATA[<c>]]></Key><Empty/></Object><Quiet>true</Quiet></s3:Delete>\n',
    )
    expect(node?.name).toBe('Delete')
    expect(node?.children.map(child => [child.name, childText(child, 'Key')])).toEqual([
      ['Object', 'a & b'],
      ['Object', '<c>'],
      ['Quiet', undefined],
    ])
  })

  it.each([
    '',
    'text',
    '<a>',
    '<a></b>',
    '<a/><b/>',
    '</a>',
    '<a>&unknown;</a>',
    '<a>&#x110000;</a>',
    '<a>& </a>',
    '<a><b></a></b>',
    '<a>1</a>2',
    '<a',
    '<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>',
  ])('refuses %j', source => {
    expect(parseXml(source)).toBeUndefined()
  })

  it('comes to an end with what is made to keep it busy', () => {
    expect(parseXml(`<a>${'<'.repeat(200_000)}`)).toBeUndefined()
    expect(parseXml(`<a ${' '.repeat(200_000)}`)).toBeUndefined()
    expect(parseXml('<a>'.repeat(100_000))).toBeUndefined()
  })
})
