import { lambda } from '@stepwright/app/functions'
import { logFields } from '../correlation.ts'
import { failPartition } from '../fail-partition.ts'
import { lock } from './bindings.ts'

export const FailPartition = lambda(failPartition, { lock }, { timeoutSeconds: 20, logFields })
