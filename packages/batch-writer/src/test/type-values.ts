/**
 * By SQL type, values that it takes: at its edges, rounded, padded, and equal to another without being the same.
 * `native` ones have a binary form here, `text` ones are left to the server to read.
 */
export interface TypeValues {
  readonly native?: readonly unknown[]
  readonly text: readonly unknown[]
}

const instants = ['1700-01-01T00:00:00Z', '1999-12-31T23:59:59.999Z', '2024-02-29T12:34:56.789Z'].map(
  text => new Date(text),
)
/** Too far from 2000 for the binary form here. */
const longAgo = new Date('0001-01-01T00:00:00Z')
/** Their years have five digits, or are before the first. */
const farOff = [[12_024, 0, 1] as const, [0, 1, 29] as const, [-43, 2, 15] as const].map(
  ([year, month, day]) => {
    const date = new Date(0)
    date.setUTCFullYear(year, month, day)
    return date
  },
)
const longText = 'ß漢字🎉 \\N \\. "\t\n\r\'{},NULL'

/** Some of them have a binary form. */
export const binaryTypes: Readonly<Record<string, TypeValues>> = {
  smallint: { native: [-32_768, 32_767, 0, '7'], text: ['-32768', ' 12 ', '0x10'] },
  integer: { native: [-2_147_483_648, 2_147_483_647, 0, '-7'], text: ['2147483647', ' 5', '1_000'] },
  bigint: {
    native: [-(2n ** 63n), 2n ** 63n - 1n, 9_007_199_254_740_991, '-1'],
    text: ['9223372036854775807', '-0'],
  },
  real: { native: [0, 1.5, -3.25, Number.NaN, Number.POSITIVE_INFINITY], text: ['-0', '1e-45', 'infinity'] },
  'double precision': {
    native: [0, -0, 5e-324, 1.797_693_134_862_315_7e308, Number.NEGATIVE_INFINITY],
    text: ['NaN', '-infinity', '0.1', -0],
  },
  boolean: { native: [true, false], text: ['yes', 'off', '1', ' t '] },
  text: { native: ['', longText, 'a'.repeat(5000)], text: ['NULL', '\\x00', 'DK'] },
  'character varying': { native: ['', longText], text: ['DK', ' DK '] },
  'character varying(5)': { native: ['', 'DK', '漢字かなカ', 'ab   '], text: ['abcde   ', '🎉🎉🎉🎉🎉'] },
  'character(2)': { native: ['DK', 'D', '', '漢字', 'DK   '], text: ['SE', ' x'] },
  character: { native: ['D', '', 'D  '], text: ['漢', ' '] },
  'character(5)': { native: ['DK', 'abcde', '🎉'], text: ['abcde  ', 'x'] },
  bpchar: { native: ['DK', 'D ', ''], text: ['DKSE', 'x  '] },
  uuid: {
    native: ['00000000-0000-0000-0000-000000000000', 'FFFFFFFF-ffff-4fff-8fff-ffffffffffff'],
    text: ['{a0eebc99-9c0b4ef8-bb6d6bb9-bd380a11}', 'a0eebc999c0b4ef8bb6d6bb9bd380a11'],
  },
  date: {
    native: instants,
    text: [longAgo, ...farOff, '4713-01-01 BC', '5874897-12-31', 'infinity', '2024-02-29'],
  },
  timestamp: {
    native: instants,
    text: [...farOff, '4713-01-01 00:00:00 BC', '294276-12-31 23:59:59.999999', '-infinity'],
  },
  'timestamp(0)': { native: instants, text: ['2024-02-29 12:34:56.5', '2024-02-29 12:34:55.5'] },
  timestamptz: {
    native: instants,
    text: [...farOff, '2024-02-29 12:34:56.789+09', 'infinity', '2024-06-30 23:59:60+00'],
  },
  'timestamptz(1)': { native: instants, text: ['2024-02-29 12:34:56.749999+00'] },
  bytea: { native: [Buffer.of(), Buffer.of(0, 255, 92)], text: ['\\x', '\\xDEadBEef', '\\000\\\\'] },
  json: { native: [{ a: 1 }, [], true, 12, '{"a": 1, "a": 2}'], text: [' [1.0,  2e3]', 'null'] },
  jsonb: { native: [{ b: 1, a: [null] }, [], false, '{"a": 1, "a": 2}'], text: ['1.00', '"\\u00e9"'] },
  mood: { native: ['sad', 'it\'s "ok"', 'glücklich'], text: ['sad'] },
  country: { native: ['DK', 'S', 'DK  '], text: ['SE', ''] },
  nordic_country: { native: ['DK', 'SE'], text: ['NO'] },
  small: { native: [-32_768, 32_767], text: ['12'] },
}

/** None of them has a binary form here. */
export const textTypes: Readonly<Record<string, readonly unknown[]>> = {
  numeric: [1, '1.0', '1.00', 'NaN', '-infinity', '12345678901234567890.0123456789', 12n, '1e-20'],
  'numeric(10,2)': ['1', '1.005', '-99999999.99', 2.5, 'NaN'],
  'numeric(3,-2)': ['12345', '149', '-50'],
  money: ['12.34', '-92233720368547758.08', '1,000.5'],
  '"char"': ['D', '', '\\377'],
  name: ['', 'x'.repeat(63), 'x'.repeat(80)],
  time: ['00:00:00', '24:00:00', '23:59:59.999999'],
  'time(0)': ['23:59:59.5', '12:00:00.4999'],
  timetz: ['12:00:00+09', '12:00:00-15:59'],
  'timetz(2)': ['12:00:00.126+00', '00:00:00.001-07'],
  interval: ['1 day', '24 hours', '1 mon', '30 days', '-178000000 years', '00:00:00.000001'],
  'interval(0)': ['1.5 seconds', '00:00:00.4'],
  'interval year to month': ['1 year 2 months 3 days', '14 months'],
  inet: ['192.168.0.1', '192.168.0.1/24', '::1', '2001:db8::/32'],
  cidr: ['10.0.0.0/8', '10.1.2.3/32', '::/0'],
  macaddr: ['08:00:2b:01:02:03', '08002b010203'],
  macaddr8: ['08:00:2b:01:02:03:04:05', '08:00:2b:01:02:03'],
  bit: ['0', '1'],
  'bit(3)': ['101', '000', '111'],
  'bit varying': ['', '101', '1'.repeat(70)],
  'bit varying(5)': ['', '10101'],
  point: ['(0,0)', '(-0,1e300)', '1,2'],
  line: ['{1,2,3}', '[(0,0),(1,1)]'],
  lseg: ['[(0,0),(1,1)]', '(0,0),(1,1)'],
  box: ['(0,0),(1,1)', '(1,1),(0,0)'],
  path: ['[(0,0),(1,1)]', '((0,0),(1,1))'],
  polygon: ['((0,0),(1,1),(1,0))', '(0,0)'],
  circle: ['<(0,0),1>', '0,0,2'],
  jsonpath: ['$.a[*] ? (@ > 1)', 'strict $'],
  tsvector: ["a b 'it''s':3A", ''],
  tsquery: ['a & !b', 'a <2> b'],
  int4range: ['[1,5)', '(1,5]', 'empty', '(,)'],
  numrange: ['[1.0,2.00]', '[1,2]'],
  tstzrange: ['[2024-01-01 00:00+09,)', 'empty'],
  daterange: ['[2024-01-01,2024-01-31]', '(,infinity)'],
  int4multirange: ['{[1,2),[2,5)}', '{}'],
  oid: ['0', '4294967295'],
  regtype: ['integer', 'character(2)'],
  pg_lsn: ['0/0', 'FFFFFFFF/FFFFFFFF'],
  xid8: ['0', '18446744073709551615'],
  pg_snapshot: ['10:20:10,14'],
  pair: ['(DK,1.25)', '(,)', '("a ",0)'],
}

/** `unnest` cannot take them. */
export const arrayTypes: Readonly<Record<string, readonly unknown[]>> = {
  'double precision[]': [[0, -0, null]],
  'integer[]': [
    [],
    [1, null, -2_147_483_648],
    '[0:1]={7,8}',
    [
      [1, 2],
      [3, 4],
    ],
  ],
  'text[]': [['', 'NULL', null, longText], ['{', '}', ',', '"', '\\'], '{a,"b c"}'],
  'character(2)[]': [['DK', 'D'], ['']],
  'character varying(2)[]': [['DK', '漢字'], ['a   ']],
  'bit(3)[]': [['101', null], '{}'],
  'numeric(4,1)[]': [['1.25', 2], ['NaN']],
  'timestamp(0)[]': [['2024-02-29 12:34:56.5']],
  'json[]': [[{ a: 1 }, null], ['[1,  2]']],
  'bytea[]': [[Buffer.of(0, 255)], []],
  'uuid[]': [['a0eebc999c0b4ef8bb6d6bb9bd380a11']],
  'country[]': [['DK', 'S']],
  'pair[]': ['{"(DK,1.25)","(,)"}'],
  'mood[]': [['sad', 'it\'s "ok"']],
  'int4range[]': [['[1,5)', 'empty']],
}

export const typeDefinitions = `
  CREATE TYPE mood AS ENUM ('sad', 'it''s "ok"', 'glücklich');
  CREATE DOMAIN small AS int2;
  CREATE DOMAIN country AS char(2);
  CREATE DOMAIN nordic_country AS country CHECK (VALUE IN ('DK', 'SE', 'NO'));
  CREATE TYPE pair AS (code char(2), amount numeric(4,2))`

/** By SQL type, values that it refuses. */
export const refusedValues: Readonly<Record<string, readonly unknown[]>> = {
  smallint: [32_768, 'x', '1.5'],
  integer: [2_147_483_648, 1.5, ''],
  bigint: [2n ** 63n, 'x'],
  real: ['1e39', 1e39, 'x'],
  'double precision': ['1e400', 'x'],
  'numeric(4,2)': ['100', 'x', 99.999],
  boolean: ['maybe', 2],
  'character varying(5)': ['abcdef', '🎉🎉🎉🎉🎉🎉', 'a\u0000', 'half \ud800'],
  'character(2)': ['DKK', '漢字か'],
  country: ['DKK'],
  nordic_country: ['DE', 'DKK'],
  small: [40_000],
  'bit(3)': ['10', '1010', '102'],
  bit: ['10'],
  'bit varying(5)': ['101010'],
  uuid: ['x', 'a0eebc99'],
  date: ['2024-02-30', 'x', new Date(Number.NaN)],
  timestamp: ['x', '294277-01-01'],
  time: ['24:00:01', 'x'],
  interval: ['x'],
  bytea: ['\\xZZ', '\\x1'],
  json: ['{', '{"a":"\\ud800"'],
  jsonb: ['{', '"\\u0000"'],
  mood: ['angry', ''],
  inet: ['256.0.0.1'],
  cidr: ['10.0.0.1/8'],
  macaddr: ['x'],
  money: ['x'],
  point: ['x'],
  tsquery: ['&'],
  int4range: ['[5,1]', 'x'],
  pair: ['(DKK,1)', '(a)', '(a,100)'],
  'integer[]': ['{', ['x'], ['1', ['2']]],
  'character(2)[]': [['DKK']],
  'bit(3)[]': [['10']],
}
