import type { ServiceOperation } from '@stepwright/local-server'
import type { World } from '../world.ts'
import { activityOperations } from './activity-operations.ts'
import { aliasOperations } from './alias-operations.ts'
import { executionOperations } from './execution-operations.ts'
import { machineOperations } from './machine-operations.ts'
import { mapRunOperations } from './map-run-operations.ts'
import type { Operations } from './operation.ts'
import { createParameters } from './request.ts'
import { tagOperations } from './tag-operations.ts'
import { testStateOperation } from './test-state-operation.ts'
import { versionOperations } from './version-operations.ts'

export function createOperations(world: World): Operations {
  return {
    ...machineOperations(world),
    ...versionOperations(world),
    ...aliasOperations(world),
    ...executionOperations(world),
    ...mapRunOperations(world),
    ...activityOperations(world),
    ...tagOperations(world),
    ...testStateOperation(world),
  }
}

/** The same for who calls by the wire protocol. */
export function createServiceOperations(world: World): Readonly<Record<string, ServiceOperation>> {
  const operations = Object.entries(createOperations(world))
  return Object.fromEntries(
    operations.map(([name, operate]) => [name, (input, signal) => operate(createParameters(input), signal)]),
  )
}
