import type { World } from '../world.ts'
import { activityOperations } from './activity-operations.ts'
import { aliasOperations } from './alias-operations.ts'
import { executionOperations } from './execution-operations.ts'
import { machineOperations } from './machine-operations.ts'
import { mapRunOperations } from './map-run-operations.ts'
import type { Operations } from './operation.ts'
import { tagOperations } from './tag-operations.ts'
import { testStateOperation } from './test-state-operation.ts'
import { versionOperations } from './version-operations.ts'

export type { Operations } from './operation.ts'

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
