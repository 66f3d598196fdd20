import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { jsonComplaint } from './json-complaint.ts'

const parse = 'com.fasterxml.jackson.core.JsonParseException'
const end = 'com.fasterxml.jackson.core.io.JsonEOFException'
const values = "(JSON String, Number, Array, Object or token 'null', 'true' or 'false')"

function at(text: string, column: number, line = 1): string {
  return `[Source: (String)"${text}"; line: ${line}, column: ${column}]`
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

describe('jsonComplaint', () => {
  // StartExecution's answer, as a user of Step Functions noted it in a public repository
  it('says what AWS was recorded to say', () => {
    const text = '{"courseId": "6225", "department": "CSYE", "boardId": """, "size": "0"}'
    expect(jsonComplaint(text)).toBe(
      `${parse}: Unexpected character ('"' (code 34)): was expecting comma to separate Object entries\n at ${at(text, 58)}`,
    )
  })

  // the messages of FasterXML/jackson-core 2.12, ReaderBasedJsonParser and ParserMinimalBase
  it.each([
    ['foo', parse, `Unrecognized token 'foo': was expecting ${values}`, 4],
    ['{"a":tru}', parse, `Unrecognized token 'tru': was expecting ${values}`, 9],
    ['[nulls]', parse, `Unrecognized token 'nulls': was expecting ${values}`, 7],
    [
      "{'a':1}",
      parse,
      "Unexpected character (''' (code 39)): was expecting double-quote to start field name",
      3,
    ],
    [
      '{"a":1,}',
      parse,
      "Unexpected character ('}' (code 125)): was expecting double-quote to start field name",
      9,
    ],
    ['[1,]', parse, `Unexpected character (']' (code 93)): expected a valid value ${values}`, 5],
    [
      '[1 2]',
      parse,
      "Unexpected character ('2' (code 50)): was expecting comma to separate Array entries",
      5,
    ],
    [
      '{"a" 1}',
      parse,
      "Unexpected character ('1' (code 49)): was expecting a colon to separate field name and value",
      7,
    ],
    [
      '{',
      end,
      `Unexpected end-of-input: expected close marker for Object (start marker at ${at('{', 1)})`,
      2,
    ],
    [
      ' [[1]',
      end,
      `Unexpected end-of-input: expected close marker for Array (start marker at ${at(' [[1]', 2)})`,
      6,
    ],
    ['[1}', parse, `Unexpected close marker '}': expected ']' (for Array starting at ${at('[1}', 1)})`, 4],
    ['{"a":', end, 'Unexpected end-of-input within/between Object entries', 6],
    ['{"a":1,', parse, 'Unexpected end-of-input within/between Object entries', 8],
    ['"a', end, 'Unexpected end-of-input: was expecting closing quote for a string value', 3],
    ['{"a', end, 'Unexpected end-of-input in field name', 4],
    ['"\\x"', parse, "Unrecognized character escape 'x' (code 120)", 4],
    [
      '"\\u00g0"',
      parse,
      "Unexpected character ('g' (code 103)): expected a hex-digit for character escape sequence",
      7,
    ],
    ['01', parse, 'Invalid numeric value: Leading zeroes not allowed', 2],
    [
      '-a',
      parse,
      "Unexpected character ('a' (code 97)) in numeric value: expected digit (0-9) to follow minus sign, for valid numeric value",
      3,
    ],
    ['.5', parse, `Unexpected character ('.' (code 46)): expected a valid value ${values}`, 2],
    ['[“a”]', parse, `Unexpected character ('“' (code 8220 / 0x201c)): expected a valid value ${values}`, 3],
    ['1a', parse, "Unexpected character ('a' (code 97)): Expected space separating root-level values", 3],
  ])('of %s', (text, exception, message, column) => {
    expect(jsonComplaint(text)).toBe(`${exception}: ${message}\n at ${at(text, column)}`)
  })

  it('counts lines, names control characters, and shows 500 characters', () => {
    expect(jsonComplaint('{\n  "a": 1\r\n  "b": 2\n}')).toMatch(/: 2\n}"; line: 3, column: 4]$/)
    expect(jsonComplaint('"a\tb"')).toContain('Illegal unquoted character ((CTRL-CHAR, code 9)): has to be')
    expect(jsonComplaint('')).toBe(
      `com.fasterxml.jackson.databind.exc.MismatchedInputException: No content to map due to end-of-input\n at ${at('', 0)}`,
    )
    const long = `{"a": "${'x'.repeat(600)}" }}`
    expect(jsonComplaint(long)).toContain(
      `${long.slice(0, 500)}"[truncated ${long.length - 500} chars]; line: 1`,
    )
  })

  it('has something to say about every text that JSON.parse refuses, and about no other', () => {
    const pieces = fc.constantFrom(...'{}[]:,"\\ \n\t0-1.e+atrue/#\u0000é', 'null', '"a"', '\\u00')
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 9 }), parts => {
        const text = parts.join('')
        if (isJson(text)) expect(() => jsonComplaint(text)).toThrow(TypeError)
        else
          expect(jsonComplaint(text)).toMatch(/^com\.fasterxml\.jackson\.[\s\S]+; line: \d+, column: \d+]$/)
      }),
      { numRuns: 2000 },
    )
  })
})
