import { ServiceError } from '@stepwright/local-server'
import type { Alias, Route } from '../machines/aliases.ts'
import { parseMachineArn } from '../machines/machine-arn.ts'
import { isVersionArn, type Versions } from '../machines/versions.ts'
import type { World } from '../world.ts'
import { type Operations, toSeconds } from './operation.ts'
import { checkArn, missing, type Parameters, takePage, violation } from './request.ts'

const aliasName = '^(?=.*[a-zA-Z_\\-\\.])[a-zA-Z0-9_\\-\\.]+$'
const maxRoutes = 2

function checkAliasName(name: string): string {
  if (new RegExp(aliasName).test(name)) return name
  throw violation(
    `Value '${name}' at 'name' failed to satisfy constraint: Member must satisfy regular expression pattern: ${aliasName}`,
  )
}

/** One or two versions of the same state machine, whose weights make a hundred. */
function readRoutes(parameters: Parameters, versions: Versions): readonly Route[] | undefined {
  const given = parameters.optionalList('routingConfiguration')
  if (given === undefined) return undefined
  if (given.length === 0 || given.length > maxRoutes) {
    const bound = given.length === 0 ? 'greater than or equal to 1' : `less than or equal to ${maxRoutes}`
    throw violation(
      `Value '${JSON.stringify(given)}' at 'routingConfiguration' failed to satisfy constraint: Member must have length ${bound}`,
    )
  }
  const routes = given.map(toRoute)
  const arns = routes.map(route => route.stateMachineVersionArn)
  if (new Set(arns).size < arns.length) {
    throw new ServiceError(
      'ValidationException',
      `Routing configuration must contain distinct state machine version ARNs. Received: [${arns.join(', ')}]`,
    )
  }
  const sum = routes.reduce((total, { weight }) => total + weight, 0)
  if (sum !== 100) {
    throw new ServiceError(
      'ValidationException',
      `Sum of routing configuration weights must equal 100. Received: [${routes.map(({ weight }) => weight).join(', ')}]`,
    )
  }
  if (new Set(arns.map(arn => parseMachineArn(arn).machineArn)).size > 1) {
    throw new ServiceError(
      'ValidationException',
      'Routing configuration must contain versions of the same state machine.',
    )
  }
  if (arns.some(arn => versions.find(arn) === undefined)) {
    throw new ServiceError('ResourceNotFound', 'Request references a resource that does not exist.')
  }
  return routes
}

function toRoute(item: unknown, index: number): Route {
  const place = `routingConfiguration.${index + 1}.member`
  const { stateMachineVersionArn, weight } = (item ?? {}) as Partial<Record<keyof Route, unknown>>
  if (typeof stateMachineVersionArn !== 'string') {
    throw violation(missing(`${place}.stateMachineVersionArn`))
  }
  if (!isVersionArn(checkArn(stateMachineVersionArn, 'stateMachine')))
    throw new ServiceError('InvalidArn', `Invalid Arn: '${stateMachineVersionArn}'`)
  if (typeof weight !== 'number' || !Number.isInteger(weight) || weight < 0 || weight > 100) {
    const bound =
      typeof weight === 'number' && weight > 100 ? 'less than or equal to 100' : 'greater than or equal to 0'
    throw violation(
      `Value '${weight}' at '${place}.weight' failed to satisfy constraint: Member must have value ${bound}`,
    )
  }
  return { stateMachineVersionArn, weight }
}

function describe(alias: Alias): object {
  return {
    stateMachineAliasArn: alias.arn,
    name: alias.name,
    ...(alias.description === undefined ? {} : { description: alias.description }),
    routingConfiguration: alias.routes,
    creationDate: toSeconds(alias.createdMs),
    updateDate: toSeconds(alias.updatedMs),
  }
}

/** Names for versions of state machines. */
export function aliasOperations({ machines, versions, aliases }: World): Operations {
  const aliasArn = (parameters: Parameters): string =>
    checkArn(parameters.text('stateMachineAliasArn'), 'stateMachine')
  return {
    CreateStateMachineAlias: async parameters => {
      const name = checkAliasName(parameters.text('name'))
      const description = parameters.optionalText('description')
      const routes = readRoutes(parameters, versions)
      const [first] = routes ?? []
      if (routes === undefined || first === undefined) {
        throw violation(missing('routingConfiguration'))
      }
      const { arn } = machines.active(parseMachineArn(first.stateMachineVersionArn).machineArn)
      const alias = aliases.create({ machineArn: arn, name, description, routes })
      return { stateMachineAliasArn: alias.arn, creationDate: toSeconds(alias.createdMs) }
    },

    UpdateStateMachineAlias: async parameters => {
      const alias = aliases.get(aliasArn(parameters))
      const description = parameters.optionalText('description')
      const routes = readRoutes(parameters, versions)
      if (description === undefined && routes === undefined) {
        throw new ServiceError(
          'ValidationException',
          'Either the description or the RoutingConfiguration must be specified',
        )
      }
      const [first] = routes ?? []
      if (
        first !== undefined &&
        parseMachineArn(first.stateMachineVersionArn).machineArn !== alias.machineArn
      ) {
        throw new ServiceError(
          'ValidationException',
          'Routing configuration must contain versions of the same state machine.',
        )
      }
      const updated = aliases.update(alias.arn, {
        ...(description === undefined ? {} : { description }),
        ...(routes === undefined ? {} : { routes }),
      })
      return { updateDate: toSeconds(updated.updatedMs) }
    },

    DescribeStateMachineAlias: async parameters => describe(aliases.get(aliasArn(parameters))),

    ListStateMachineAliases: async parameters => {
      const arn = checkArn(parameters.text('stateMachineArn'), 'stateMachine')
      const { machineArn, qualifier } = parseMachineArn(arn)
      machines.get(machineArn)
      const found = aliases
        .of(machineArn)
        .filter(
          ({ routes }) =>
            qualifier === undefined || routes.some(route => route.stateMachineVersionArn === arn),
        )
      // the oldest first, other than the API reference says
      const { items, nextToken } = takePage(found, parameters, ({ createdMs, name }) => [-createdMs, name])
      return {
        stateMachineAliases: items.map(alias => ({
          stateMachineAliasArn: alias.arn,
          creationDate: toSeconds(alias.createdMs),
        })),
        ...(nextToken === undefined ? {} : { nextToken }),
      }
    },

    DeleteStateMachineAlias: async parameters => {
      // one that is not there is deleted already
      aliases.remove(aliasArn(parameters))
      return {}
    },
  }
}
