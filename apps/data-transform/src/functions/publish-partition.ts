import { bindFrom, reference, setting } from '@stepwright/app/bindings'
import { lambda } from '@stepwright/app/functions'
import { objects } from '@stepwright/object-store/bindings'
import * as z from 'zod/mini'
import { logFields } from '../correlation.ts'
import { publishPartition } from '../publish-partition.ts'
import { curated } from '../resources.ts'
import { lock, wholeNumber } from './bindings.ts'

/** Of older days, which are rewritten where a column's type becomes wider. */
const maxRewriteMb = setting('MAX_REWRITE_MB', z._default(wholeNumber, 10_000))

export const PublishPartition = lambda(
  publishPartition,
  {
    curated: objects(
      curated,
      'read */_schema/*',
      'read */ds=*',
      'read */runs/*',
      'write */_schema/*',
      'write */ds=*',
      'delete */runs/*',
    ),
    curatedBucket: reference(curated),
    lock,
    maxRewriteBytes: bindFrom(maxRewriteMb, mb => mb * 1_000_000),
  },
  { timeoutSeconds: 110, logFields },
)
