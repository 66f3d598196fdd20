/** Types that a key may have, each with spellings of one value. */
export const keySpellings: readonly { readonly type: string; readonly spellings: readonly unknown[] }[] = [
  { type: 'int2', spellings: ['007', 7, ' 7', '+7'] },
  { type: 'int4', spellings: ['7', '007', 7n] },
  { type: 'int8', spellings: ['9007199254740993', '09007199254740993', 9007199254740993n] },
  { type: 'numeric', spellings: ['1.0', '1', '01.00', '10e-1', 1] },
  { type: 'numeric(6,2)', spellings: ['1.001', '1', '1.004'] },
  { type: 'numeric', spellings: ['12345678901234567890.50', '12345678901234567890.5'] },
  { type: 'float4', spellings: ['1.10', 1.1, '1.1'] },
  { type: 'float8', spellings: ['1.50', 1.5, '15e-1', '0001.5'] },
  { type: 'float8', spellings: ['-0', 0, -0] },
  { type: 'bool', spellings: ['t', true, 'yes', 'ON', '1'] },
  { type: 'text', spellings: ['7', 7] },
  { type: 'varchar(3)', spellings: ['abc ', 'abc', 'abc  '] },
  { type: 'char(4)', spellings: ['ab ', 'ab', 'ab  '] },
  { type: 'text COLLATE loose', spellings: ['b', 'B'] },
  { type: 'uuid', spellings: uuids('A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11') },
  {
    type: 'date',
    spellings: ['2024-02-01', new Date('2024-02-01T12:00:00Z'), 'February 1, 2024', '20240201'],
  },
  {
    type: 'timestamptz',
    spellings: [
      '2024-02-01 12:00+02',
      '2024-02-01T10:00:00Z',
      new Date('2024-02-01T10:00:00Z'),
      '2024-02-01 10:00:00.000000+0000',
    ],
  },
  { type: 'timestamptz(0)', spellings: ['2024-02-01T10:00:00.4Z', '2024-02-01T10:00:00Z'] },
  { type: 'timestamp', spellings: ['2024-02-01 12:00', '2024-02-01T12:00:00.0', '2024-02-01 12:00:00+05'] },
  { type: 'time', spellings: ['10:00', '10:00:00', '10:00 AM'] },
  { type: 'interval', spellings: ['1 day', '24:00:00'] },
  { type: 'inet', spellings: ['10.0.0.1', '10.0.0.1/32'] },
  { type: 'bytea', spellings: ['\\xFF', '\\xff', Buffer.from([0xff]), '\\377'] },
  { type: 'jsonb', spellings: [{ a: 1, b: 2 }, '{"b": 2, "a": 1}', '{"a":1.0,"b":2}'] },
  { type: 'int[]', spellings: [[1, 2], '{1,2}', '{01, 2}'] },
  { type: 'mood', spellings: ['happy', 'happy'] },
]

function uuids(upper: string): readonly string[] {
  const lower = upper.toLowerCase()
  return [lower, upper, `{${lower}}`, lower.replaceAll('-', '')]
}
