import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { createBytesSource } from '../source/byte-source.ts'
import { type CsvValidation, type ValidateOptions, validate } from './validate.ts'

function check(csv: string | Buffer, options: ValidateOptions = {}): Promise<CsvValidation> {
  return validate(createBytesSource(Buffer.from(csv as string)), options)
}

async function codes(csv: string | Buffer, options: ValidateOptions = {}): Promise<string[]> {
  const { statistics } = await check(csv, options)
  return statistics.validationErrors.map(({ code }) => code)
}

describe('validate', () => {
  it('answers field by field', async () => {
    let time = 1000
    const csv = 'ユーザーID,ログイン回数,投稿回数\nU00001,5,12\nU00002,3,8\n'
    const answer = await check(csv, {
      expectedColumns: ['ユーザーID', 'ログイン回数', '投稿回数'],
      now: () => (time += 250),
    })
    expect(answer).toEqual({
      isValid: true,
      rowCount: 2,
      columnCount: 3,
      headerValid: true,
      encoding: 'UTF-8',
      delimiter: ',',
      statistics: {
        fileSizeBytes: Buffer.byteLength(csv),
        processingTimeSeconds: 0.25,
        validationErrors: [],
      },
    })
  })

  it.each([
    ['another name', 'id,mail\n', 'column 2 is "mail" instead of "email"'],
    ['a missing column', 'id\n', 'the column email is missing'],
    ['a column too many', 'id,email,x\n', 'column 3 is "x" instead of none'],
  ])('refuses a header with %s', async (_, csv, message) => {
    const answer = await check(csv, { expectedColumns: ['id', 'email'] })
    expect(answer).toMatchObject({ isValid: false, headerValid: false })
    expect(answer.statistics.validationErrors).toMatchObject([
      { code: 'HEADER_MISMATCH', rowNumber: 0, message },
    ])
  })

  it('goes on after a bad row and says where each is', async () => {
    const { statistics, rowCount, isValid } = await check('a,b\n1,2\n3\n4,5\n6,7,8\n"x"y,9\nz"z,1\n10,11\n')
    expect(statistics.validationErrors).toMatchObject([
      { code: 'COLUMN_COUNT', rowNumber: 2 },
      { code: 'COLUMN_COUNT', rowNumber: 4, column: '3', byteOffset: 18 },
      { code: 'TEXT_AFTER_QUOTE', rowNumber: 5, column: 'a', byteOffset: 23 },
      { code: 'STRAY_QUOTE', rowNumber: 6, column: 'a', byteOffset: 28 },
    ])
    expect([isValid, rowCount]).toEqual([false, 7])
  })

  it.each([
    ['an empty file', '', 'EMPTY_FILE'],
    ['an unclosed quote', 'a,b\n1,"2\n3,4\n', 'UNCLOSED_QUOTE'],
    ['a NUL', 'a,b\n1,x\0y\n', 'NUL_BYTE'],
    ['a NUL in the header', 'a,b\0\n1,2\n', 'NUL_BYTE'],
    ['two columns of one name', 'a,a\n1,2\n', 'DUPLICATE_COLUMN'],
  ])('refuses %s', async (_, csv, code) => {
    expect(await codes(csv)).toEqual([code])
  })

  it('places a NUL in its field', async () => {
    const { statistics } = await check('a,b\n日,2\n3,"x\0y"\n')
    expect(statistics.validationErrors).toMatchObject([
      { code: 'NUL_BYTE', rowNumber: 2, column: 'b', byteOffset: 14 },
    ])
  })

  it('refuses broken bytes in one row and checks the others', async () => {
    const csv = Buffer.concat([Buffer.from('a,b\n1,日\n2,'), Buffer.from([0xff]), Buffer.from('\n3,x,y\n')])
    const options = { dialect: { encoding: 'UTF-8' } } as const
    const { statistics } = await check(csv, options)
    expect(statistics.validationErrors).toMatchObject([
      { code: 'INVALID_BYTES', rowNumber: 2, byteOffset: 12 },
      { code: 'COLUMN_COUNT', rowNumber: 3 },
    ])
  })

  it('keeps limits of rows, columns, bytes', async () => {
    const csv = 'a,b\n1,2\n3,4\n5,6\n'
    expect(await codes(csv, { maxRows: 3 })).toEqual([])
    expect(await codes(csv, { maxRows: 2 })).toEqual(['TOO_MANY_ROWS'])
    expect(await codes(csv, { limits: { maxColumns: 1 } })).toEqual(['TOO_MANY_COLUMNS'])
    expect(await codes(csv, { limits: { maxFileBytes: 10 } })).toEqual(['FILE_TOO_LARGE'])
    expect(await codes(`a\n${'x'.repeat(3000)}\n`, { limits: { maxRowBytes: 2000 } })).toEqual([
      'ROW_TOO_LONG',
    ])
  })

  it('warns of formulas, but not of numbers', async () => {
    const csv = 'a,b\n=1+1,-5\n+8190,@x\n-cmd,"=HYPERLINK(1)"\n'
    const { statistics, isValid } = await check(csv)
    expect(
      statistics.validationErrors.map(({ rowNumber, column, severity }) => [rowNumber, column, severity]),
    ).toEqual([
      [1, 'a', 'warning'],
      [2, 'b', 'warning'],
      [3, 'a', 'warning'],
      [3, 'b', 'warning'],
    ])
    expect(isValid).toBe(true)
    expect((await check(csv, { formulas: 'error' })).isValid).toBe(false)
    expect(await codes(csv, { formulas: 'ignore' })).toEqual([])
  })

  it('checks rows against a schema, of whatever library', async () => {
    const schema = z.object({
      id: z.string().check(z.regex(/^U\d+$/)),
      logins: z.string().check(z.regex(/^\d+$/)),
    })
    const { statistics } = await check('id,logins\nU1,5\nX2,many\nU3,7\n', { schema })
    expect(statistics.validationErrors).toMatchObject([
      { code: 'ROW_SCHEMA', rowNumber: 2, column: 'id', byteOffset: 15, text: 'x9' },
    ])
    const slow = {
      '~standard': {
        version: 1 as const,
        vendor: 'test',
        validate: async (value: unknown) => ({ value }),
      },
    }
    expect(await codes('id\n1\n', { schema: slow })).toEqual([])
  })

  it('places what the schema says in its field, whatever the column is called, or in the row', async () => {
    const schema = z
      .object({ id: z.string(), 'a.b': z.string().check(z.regex(/^\d$/)), c: z.string() })
      .check(z.refine(({ id, c }) => id !== c, 'id and c are the same'))
    const { statistics } = await check('id,a.b,c\n1,"x",2\n日,2,日\n', { schema })
    expect(statistics.validationErrors).toEqual([
      {
        code: 'ROW_SCHEMA',
        severity: 'error',
        message: 'a.b: Invalid input',
        rowNumber: 1,
        column: 'a.b',
        byteOffset: 12,
        text: 'x',
      },
      {
        code: 'ROW_SCHEMA',
        severity: 'error',
        message: 'id and c are the same',
        rowNumber: 2,
        byteOffset: 17,
      },
    ])
  })

  it('tells of problems in the order of the rows, whatever their kind', async () => {
    const schema = z.object({ a: z.string(), b: z.string().check(z.maxLength(3)) })
    const options = { schema, formulas: 'error', maxProblems: 3 } as const
    const { statistics } = await check('a,b\n1,long\n2,=\n1,x\n4,long\n5,=\n', options)
    expect(statistics.validationErrors).toMatchObject([
      { code: 'ROW_SCHEMA', rowNumber: 1, column: 'b', byteOffset: 6 },
      { code: 'FORMULA', rowNumber: 2, column: 'b', byteOffset: 13 },
      { code: 'ROW_SCHEMA', rowNumber: 4, column: 'b', byteOffset: 21 },
    ])
  })

  it('stops collecting at a limit', async () => {
    const csv = `a,b\n${'1\n'.repeat(1000)}`
    const { statistics, rowCount } = await check(csv, { maxProblems: 7 })
    expect(statistics.validationErrors).toHaveLength(7)
    expect(rowCount).toBe(7)
  })

  it('finds the error behind any number of warnings', async () => {
    const csv = `a,b\n${'=x,1\n'.repeat(300)}1\n`
    const { statistics, isValid, rowCount } = await check(csv, { maxProblems: 5 })
    expect(statistics.validationErrors.map(({ severity }) => severity)).toEqual([
      ...Array(5).fill('warning'),
      'error',
    ])
    expect([isValid, rowCount]).toEqual([false, 301])
  })

  it('spends no time on warnings that are left out, such as of telephone numbers', async () => {
    const csv = `id,phone\n${'1,+81-90-1234-5678\n'.repeat(30_000)}`
    for (const encoding of ['UTF-8', 'Shift_JIS'] as const) {
      const before = process.cpuUsage()
      const { statistics, rowCount } = await check(csv, { dialect: { encoding } })
      const { user, system } = process.cpuUsage(before)
      expect([statistics.validationErrors.length, rowCount]).toEqual([100, 30_000])
      expect((user + system) / 1000).toBeLessThan(700)
    }
  })

  it('shows nothing of the content unless it is told to', async () => {
    const csv = 'a,b\n1,=secret42\n'
    const [hidden] = (await check(csv)).statistics.validationErrors
    expect(hidden?.text).toBe('=xxxxxx99')
    const [shown] = (await check(csv, { showText: true })).statistics.validationErrors
    expect(shown?.text).toBe('=secret42')
  })

  it('stops when it is aborted', async () => {
    await expect(check('a,b\n1,2\n', { signal: AbortSignal.abort() })).rejects.toMatchObject({
      name: 'AbortError',
    })
  })
})
