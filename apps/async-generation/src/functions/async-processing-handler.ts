import { http } from '@stepwright/app/functions'
import { idempotencyKeys } from '@stepwright/idempotency/bindings'
import { accepted, startInput, withProcessId } from '../process-api.ts'
import { startGeneration } from '../start-generation.ts'
import { api, pool, startPorts } from './bindings.ts'

export const AsyncProcessingHandler = http(
  withProcessId(startGeneration),
  { ...startPorts, idempotency: idempotencyKeys(pool) },
  // 29 s are as long as API Gateway waits.
  { ...api, input: startInput, response: accepted, memoryMb: 512, timeoutSeconds: 29, concurrency: 50 },
)
