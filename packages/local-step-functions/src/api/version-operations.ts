import { ServiceError } from '@stepwright/local-server'
import { isVersionArn } from '../machines/versions.ts'
import type { World } from '../world.ts'
import { type Operations, toSeconds } from './operation.ts'
import { checkArn, takePage } from './request.ts'

/** Publishing, listing and deleting versions of state machines. */
export function versionOperations({ machines, versions, aliases }: World): Operations {
  return {
    PublishStateMachineVersion: async parameters => {
      const arn = checkArn(parameters.text('stateMachineArn'), 'stateMachine')
      const revisionId = parameters.optionalText('revisionId')
      const description = parameters.optionalText('description')
      const machine = machines.active(arn)
      if (revisionId !== undefined && revisionId !== machine.revisionId) {
        throw new ServiceError(
          'ConflictException',
          `Failed to publish the State Machine version for revision ${revisionId}. The current State Machine revision is ${machine.revisionId}.`,
          409,
        )
      }
      const version = versions.publish(machine, description)
      return { stateMachineVersionArn: version.arn, creationDate: toSeconds(version.createdMs) }
    },

    ListStateMachineVersions: async parameters => {
      const { arn } = machines.get(checkArn(parameters.text('stateMachineArn'), 'stateMachine'))
      const { items, nextToken } = takePage(versions.of(arn), parameters, ({ version }) => [version, ''])
      return {
        stateMachineVersions: items.map(version => ({
          stateMachineVersionArn: version.arn,
          creationDate: toSeconds(version.createdMs),
        })),
        ...(nextToken === undefined ? {} : { nextToken }),
      }
    },

    DeleteStateMachineVersion: async parameters => {
      const arn = checkArn(parameters.text('stateMachineVersionArn'), 'stateMachine')
      if (!isVersionArn(arn)) throw new ServiceError('InvalidArn', `Invalid Arn: '${arn}'`)
      const version = versions.find(arn)
      if (version === undefined) return {}
      const referring = aliases
        .of(version.machineArn)
        .filter(({ routes }) => routes.some(route => route.stateMachineVersionArn === arn))
        .map(({ name }) => name)
      if (referring.length > 0) {
        throw new ServiceError(
          'ConflictException',
          `Version to be deleted must not be referenced by an alias. Current list of aliases referencing this version: [${referring.join(', ')}]`,
          409,
        )
      }
      versions.remove(arn)
      return {}
    },
  }
}
