import { reference } from '@stepwright/app/bindings'
import { lambda } from '@stepwright/app/functions'
import { objects } from '@stepwright/object-store/bindings'
import { logFields } from '../correlation.ts'
import { publishPartition } from '../publish-partition.ts'
import { curated } from '../resources.ts'
import { lock } from './bindings.ts'

export const PublishPartition = lambda(
  publishPartition,
  { curated: objects(curated, 'read', 'write', 'delete'), curatedBucket: reference(curated), lock },
  { timeoutSeconds: 110, logFields },
)
