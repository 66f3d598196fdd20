import { ConflictError, NotFoundError } from '@stepwright/errors'
import { describe, expect, it } from 'vitest'
import { toFileError } from './file-error.ts'

describe('toFileError', () => {
  it.each([
    [
      new NotFoundError('no', { details: { bucket: 'uploads', key: 'in/a.csv' } }),
      {
        code: 'OBJECT_NOT_FOUND',
        message:
          "there is no file in/a.csv in the bucket uploads: upload it again, or correct the bucket's name",
        details: { bucket: 'uploads', key: 'in/a.csv' },
      },
    ],
    [
      new NotFoundError('no', { code: 'BUCKET_NOT_FOUND', details: { bucket: 'uplods' } }),
      {
        code: 'BUCKET_NOT_FOUND',
        message: "there is no bucket uplods for the file in/a.csv: correct the bucket's name",
        details: { bucket: 'uplods', key: 'in/a.csv' },
      },
    ],
    [
      new NotFoundError('no'),
      { code: 'OBJECT_NOT_FOUND', message: 'there is no file in/a.csv: upload it again' },
    ],
    [
      new ConflictError('other', { code: 'SOURCE_CHANGED' }),
      { code: 'OBJECT_REPLACED', message: 'the file in/a.csv was replaced: upload it again' },
    ],
  ])('names the file and the bucket, and says what to do: %s', (error, expected) => {
    expect(toFileError(error, 'in/a.csv')).toMatchObject({ name: 'ValidationError', ...expected })
  })

  it('leaves other errors as they are', () => {
    const other = new Error('other')
    expect(toFileError(other, 'in/a.csv')).toBe(other)
  })
})
