import { lambda } from '@stepwright/app/functions'
import { objects } from '@stepwright/object-store/bindings'
import { logFields } from '../correlation.ts'
import { failPartition } from '../fail-partition.ts'
import { curated } from '../resources.ts'
import { lock } from './bindings.ts'

export const FailPartition = lambda(
  failPartition,
  { curated: objects(curated, 'read */ds=*', 'read */runs/*', 'delete */runs/*'), lock },
  { timeoutSeconds: 20, logFields },
)
