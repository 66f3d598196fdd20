import { ServiceError } from '@stepwright/local-server'
import { initialRevision, type Machine, type Revision } from '../machines/machines.ts'
import type { World } from '../world.ts'
import { isChildArn } from './child-executions.ts'
import { childMachine } from './child-machine.ts'
import { diagnose, variableReferencesOf } from './definition.ts'
import {
  checkEncryption,
  encryption,
  readLogging,
  readMachineType,
  readPublish,
  readTags,
  toLogging,
  tracingOff,
  wantsData,
} from './machine-fields.ts'
import { type Operations, toSeconds } from './operation.ts'
import { checkArn, checkMachineArn, checkName, readMaxResults, takePage } from './request.ts'

/** The definition and what is found in it; without data, an empty one. */
function describeDefinition(text: string, withData: boolean): object {
  if (!withData) return { definition: '{}' }
  return { definition: text, variableReferences: variableReferencesOf(text) }
}

function describeRevision(revision: Revision, withData: boolean): object {
  return {
    ...describeDefinition(revision.definitionText, withData),
    roleArn: revision.roleArn,
    loggingConfiguration: toLogging(revision.loggingConfiguration),
    tracingConfiguration: revision.tracingConfiguration,
    encryptionConfiguration: encryption,
    ...(revision.revisionId === initialRevision ? {} : { revisionId: revision.revisionId }),
  }
}

function describe(machine: Machine, withData: boolean): object {
  return {
    stateMachineArn: machine.arn,
    name: machine.name,
    status: machine.isDeleting === true ? 'DELETING' : 'ACTIVE',
    type: machine.type,
    creationDate: toSeconds(machine.createdMs),
    ...describeRevision(machine, withData),
  }
}

/** Creating, changing and reading state machines. */
export function machineOperations(world: World): Operations {
  const { machines, versions, executions, definitionOf, now } = world
  return {
    CreateStateMachine: async parameters => {
      checkEncryption(parameters)
      const publish = readPublish(parameters)
      const machine = machines.create({
        name: checkName(parameters.text('name')),
        definitionText: parameters.text('definition'),
        roleArn: parameters.text('roleArn'),
        type: readMachineType(parameters),
        loggingConfiguration: readLogging(parameters) ?? toLogging(undefined),
        tracingConfiguration: parameters.optionalObject('tracingConfiguration') ?? tracingOff,
        tags: readTags(parameters),
      })
      const version = publish === undefined ? undefined : versions.publish(machine, publish.description)
      return {
        stateMachineArn: machine.arn,
        creationDate: toSeconds(machine.createdMs),
        ...(version === undefined ? {} : { stateMachineVersionArn: version.arn }),
      }
    },

    UpdateStateMachine: async parameters => {
      const arn = checkMachineArn(parameters.text('stateMachineArn'))
      checkEncryption(parameters)
      const publish = readPublish(parameters)
      const definitionText = parameters.optionalText('definition')
      const roleArn = parameters.optionalText('roleArn')
      const loggingConfiguration = readLogging(parameters)
      const tracingConfiguration = parameters.optionalObject('tracingConfiguration')
      const given = [
        definitionText,
        roleArn,
        loggingConfiguration,
        tracingConfiguration,
        parameters.optionalObject('encryptionConfiguration'),
      ]
      if (given.every(field => field === undefined)) {
        machines.get(arn)
        throw new ServiceError(
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
      const version = publish === undefined ? undefined : versions.publish(machine, publish.description)
      return {
        updateDate: toSeconds(now()),
        ...(machine.revisionId === initialRevision ? {} : { revisionId: machine.revisionId }),
        ...(version === undefined ? {} : { stateMachineVersionArn: version.arn }),
      }
    },

    DeleteStateMachine: async parameters => {
      world.deletion.begin(checkMachineArn(parameters.text('stateMachineArn')))
      return {}
    },

    DescribeStateMachine: async parameters => {
      const arn = checkMachineArn(parameters.text('stateMachineArn'))
      const withData = wantsData(parameters)
      const version = versions.find(arn)
      if (version === undefined) return describe(machines.get(arn), withData)
      return {
        ...describe(machines.get(version.machineArn), withData),
        ...describeRevision(version, withData),
        stateMachineArn: version.arn,
        creationDate: toSeconds(version.createdMs),
        ...(version.description === undefined ? {} : { description: version.description }),
      }
    },

    DescribeStateMachineForExecution: async parameters => {
      const given = parameters.text('executionArn')
      const mayBeExpress = world.keepsExpress || isChildArn(given)
      const arn = checkArn(given, 'execution', ...(mayBeExpress ? ['express'] : []))
      const withData = wantsData(parameters)
      const child = isChildArn(arn) ? childMachine(world, arn) : undefined
      const execution = world.express.find(arn)?.header ?? executions.get(child?.parentArn ?? arn)
      const machine = machines.find(execution.stateMachineArn)
      return {
        stateMachineArn: execution.stateMachineArn,
        name: execution.machineName,
        ...child?.shown,
        ...describeDefinition(child?.definition ?? definitionOf(execution.definitionId), withData),
        roleArn: execution.roleArn,
        updateDate: toSeconds(machine?.updatedMs ?? machine?.createdMs ?? execution.startMs),
        loggingConfiguration: toLogging(machine?.loggingConfiguration),
        tracingConfiguration: machine?.tracingConfiguration ?? tracingOff,
        encryptionConfiguration: encryption,
        ...(execution.revisionId === undefined ? {} : { revisionId: execution.revisionId }),
      }
    },

    ListStateMachines: async parameters => {
      const { items, nextToken } = takePage(machines.list(), parameters, ({ createdMs, name }) => [
        createdMs,
        name,
      ])
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
      const most = readMaxResults(parameters, maxDiagnostics, maxDiagnostics)
      const severity = parameters.optionalChoice('severity', ['ERROR', 'WARNING']) ?? 'ERROR'
      const found = diagnose(parameters.text('definition'), readMachineType(parameters)).filter(
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

const maxDiagnostics = 100
