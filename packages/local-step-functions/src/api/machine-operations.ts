import type { Machine, Tags } from '../machines/machines.ts'
import type { World } from '../world.ts'
import { ApiError } from './api-error.ts'
import { diagnose } from './definition.ts'
import { type Operations, toSeconds } from './operation.ts'
import { checkArn, checkName, type Parameters, takePage } from './request.ts'

function machineType(parameters: Parameters): 'STANDARD' | 'EXPRESS' {
  const type = parameters.optionalText('type') ?? 'STANDARD'
  if (type === 'STANDARD' || type === 'EXPRESS') return type
  throw new ApiError(
    'ValidationException',
    `1 validation error detected: Value '${type}' at 'type' failed to satisfy constraint: Member must satisfy enum value set: [STANDARD, EXPRESS]`,
  )
}

export function readTags(parameters: Parameters): Tags {
  return Object.fromEntries(
    (parameters.optionalList('tags') ?? []).map(tag => {
      const { key, value } = tag as { key?: string; value?: string }
      return [key ?? '', value ?? '']
    }),
  )
}

const loggingOff = { level: 'OFF', includeExecutionData: false }
const tracingOff = { enabled: false }

function describe(machine: Machine): object {
  return {
    stateMachineArn: machine.arn,
    name: machine.name,
    status: 'ACTIVE',
    definition: machine.definitionText,
    roleArn: machine.roleArn,
    type: machine.type,
    creationDate: toSeconds(machine.createdMs),
    loggingConfiguration: machine.loggingConfiguration,
    tracingConfiguration: machine.tracingConfiguration,
    revisionId: machine.revisionId,
  }
}

/** Creating, changing and reading state machines. */
export function machineOperations({ machines, executions, definitionOf, now }: World): Operations {
  return {
    CreateStateMachine: async parameters => {
      const machine = machines.create({
        name: checkName(parameters.text('name')),
        definitionText: parameters.text('definition'),
        roleArn: parameters.text('roleArn'),
        type: machineType(parameters),
        loggingConfiguration: parameters.optionalObject('loggingConfiguration') ?? loggingOff,
        tracingConfiguration: parameters.optionalObject('tracingConfiguration') ?? tracingOff,
        tags: readTags(parameters),
      })
      return { stateMachineArn: machine.arn, creationDate: toSeconds(machine.createdMs) }
    },

    UpdateStateMachine: async parameters => {
      const arn = checkArn(parameters.text('stateMachineArn'), 'stateMachine')
      const definitionText = parameters.optionalText('definition')
      const roleArn = parameters.optionalText('roleArn')
      const loggingConfiguration = parameters.optionalObject('loggingConfiguration')
      const tracingConfiguration = parameters.optionalObject('tracingConfiguration')
      if (
        [definitionText, roleArn, loggingConfiguration, tracingConfiguration].every(
          field => field === undefined,
        )
      ) {
        machines.get(arn)
        throw new ApiError(
          'MissingRequiredParameter',
          'Either the definition, the role ARN, the LoggingConfiguration, or the TracingConfiguration must be specified',
        )
      }
      const machine = machines.update(arn, {
        ...(definitionText === undefined ? {} : { definitionText }),
        ...(roleArn === undefined ? {} : { roleArn }),
        ...(loggingConfiguration === undefined ? {} : { loggingConfiguration }),
        ...(tracingConfiguration === undefined ? {} : { tracingConfiguration }),
      })
      return { updateDate: toSeconds(now()), revisionId: machine.revisionId }
    },

    DeleteStateMachine: async parameters => {
      machines.remove(checkArn(parameters.text('stateMachineArn'), 'stateMachine'))
      return {}
    },

    DescribeStateMachine: async parameters =>
      describe(machines.get(checkArn(parameters.text('stateMachineArn'), 'stateMachine'))),

    DescribeStateMachineForExecution: async parameters => {
      const execution = executions.get(checkArn(parameters.text('executionArn'), 'execution'))
      const machine = machines.find(execution.stateMachineArn)
      return {
        stateMachineArn: execution.stateMachineArn,
        name: execution.machineName,
        definition: definitionOf(execution.definitionId),
        roleArn: execution.roleArn,
        updateDate: toSeconds(machine?.createdMs ?? execution.startMs),
        loggingConfiguration: machine?.loggingConfiguration ?? loggingOff,
        tracingConfiguration: machine?.tracingConfiguration ?? tracingOff,
      }
    },

    ListStateMachines: async parameters => {
      const { items, nextToken } = takePage(machines.list(), parameters)
      return {
        stateMachines: items.map(({ arn, name, type, createdMs }) => ({
          stateMachineArn: arn,
          name,
          type,
          creationDate: toSeconds(createdMs),
        })),
        ...(nextToken === undefined ? {} : { nextToken }),
      }
    },

    ValidateStateMachineDefinition: async parameters => {
      const most = parameters.optionalNumber('maxResults') || 100
      const severity = parameters.optionalText('severity') ?? 'ERROR'
      const found = diagnose(parameters.text('definition'), machineType(parameters)).filter(
        diagnostic => severity === 'WARNING' || diagnostic.severity === 'ERROR',
      )
      return {
        result: found.some(diagnostic => diagnostic.severity === 'ERROR') ? 'FAIL' : 'OK',
        diagnostics: found.slice(0, most),
        truncated: found.length > most,
      }
    },
  }
}
