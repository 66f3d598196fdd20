import type { Json, JsonObject } from '@stepwright/asl'
import type { World } from '../world.ts'
import { isChildArn } from './child-executions.ts'
import { executionMissing } from './refusals.ts'
import { isObject } from './transition-diagnostics.ts'

/** What a child of a Map run runs: the states of its Map. */
export interface ChildMachine {
  /** Not a child itself. */
  readonly parentArn: string
  /** What is shown of it in place of its parent's. */
  readonly shown: object
  readonly definition: string
}

export function childMachine(world: World, arn: string): ChildMachine {
  const { mapRuns, executions, definitionOf } = world
  const child = mapRuns.children.find(arn)
  const run = child === undefined ? undefined : mapRuns.get(child.mapRunArn)
  if (child === undefined || run === undefined) throw executionMissing(arn)
  const parentArn = isChildArn(run.executionArn)
    ? childMachine(world, run.executionArn).parentArn
    : run.executionArn
  const { definitionId } = executions.get(parentArn)
  const { ProcessorConfig: _config, ...definition } = processorOf(
    JSON.parse(definitionOf(definitionId)),
    run.stateName,
  )
  const { stateMachineArn, mapRunArn } = child
  const name = stateMachineArn.split(':')[6] ?? ''
  return {
    parentArn,
    shown: { stateMachineArn, name, mapRunArn, label: name.split('/')[1] },
    definition: JSON.stringify(definition),
  }
}

/** The processor of the Map of that name, wherever it stands: names are unique in a machine. */
function processorOf(value: Json, stateName: string): JsonObject {
  const found = search(value)
  return isObject(found) ? found : {}

  function search(within: Json): Json | undefined {
    if (Array.isArray(within)) return first(within)
    if (!isObject(within)) return undefined
    const states = within['States']
    const map = isObject(states) ? states[stateName] : undefined
    if (isObject(map) && map['Type'] === 'Map') return map['ItemProcessor'] ?? map['Iterator']
    return first(Object.values(within))
  }
  function first(values: readonly Json[]): Json | undefined {
    for (const each of values) {
      const inner = search(each)
      if (inner !== undefined) return inner
    }
    return undefined
  }
}
