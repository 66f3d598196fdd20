import { presignUpload } from '@stepwright/object-store/tasks'
import * as z from 'zod/mini'
import { databaseErrors } from './errors.ts'

/** As much as the rows that an import takes may have: see docs/adr/0705. */
const maxBytes = 1024 ** 3

/** GET /presigned-url: where the caller may put one CSV, of the size that it says. */
export const requestUpload = presignUpload({
  name: 'request-upload',
  maxBytes,
  contentType: 'text/csv',
  ownerInKey: false,
  suffix: '.csv',
  output: z.object({ s3_key: z.string(), presigned_url: z.string() }),
  report: ({ key, url }) => ({ s3_key: key, presigned_url: url }),
  errors: databaseErrors,
})
