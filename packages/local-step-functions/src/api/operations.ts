import type { World } from '../world.ts'
import { activityOperations } from './activity-operations.ts'
import { executionOperations } from './execution-operations.ts'
import { machineOperations } from './machine-operations.ts'
import type { Operations } from './operation.ts'
import { tagOperations } from './tag-operations.ts'
import { testStateOperation } from './test-state-operation.ts'

export type { Operations } from './operation.ts'

export function createOperations(world: World): Operations {
  return {
    ...machineOperations(world),
    ...executionOperations(world),
    ...activityOperations(world),
    ...tagOperations(world),
    ...testStateOperation(world),
  }
}
