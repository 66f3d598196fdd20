import type { ServiceOperation } from '@stepwright/local-server'
import type { World } from '../world.ts'
import { activityOperations } from './activity-operations.ts'
import { aliasOperations } from './alias-operations.ts'
import { checkConstraints } from './constraints.ts'
import { loadChecker } from './definition.ts'
import { executionOperations } from './execution-operations.ts'
import { machineOperations } from './machine-operations.ts'
import { mapRunOperations } from './map-run-operations.ts'
import type { Operations } from './operation.ts'
import { createParameters } from './request.ts'
import { tagOperations } from './tag-operations.ts'
import { testStateOperation } from './test-state-operation.ts'
import { versionOperations } from './version-operations.ts'

const checksDefinitions = [
  ...['CreateStateMachine', 'UpdateStateMachine', 'ValidateStateMachineDefinition'],
  ...['DescribeStateMachine', 'DescribeStateMachineForExecution'],
]

export function createOperations(world: World): Operations {
  return afterChecking({
    ...machineOperations(world),
    ...versionOperations(world),
    ...aliasOperations(world),
    ...executionOperations(world),
    ...mapRunOperations(world),
    ...activityOperations(world),
    ...tagOperations(world),
    ...testStateOperation(world),
  })
}

function afterChecking(operations: Operations): Operations {
  return Object.fromEntries(
    Object.entries(operations).map(([name, operate]) => [
      name,
      async (parameters, signal) => {
        checkConstraints(name, parameters)
        if (checksDefinitions.includes(name)) await loadChecker()
        return operate(parameters, signal)
      },
    ]),
  )
}

/** The same for who calls by the wire protocol. */
export function createServiceOperations(world: World): Readonly<Record<string, ServiceOperation>> {
  const operations = Object.entries(createOperations(world))
  return Object.fromEntries(
    operations.map(([name, operate]) => [name, (input, signal) => operate(createParameters(input), signal)]),
  )
}
