import type { Call, Engine } from './engine.ts'
import { refuse } from './engine-calls.ts'

const operations = new Set([
  ...['CreateTable', 'UpdateTable', 'DeleteTable', 'DescribeTable', 'ListTables'],
  ...['PutItem', 'UpdateItem', 'DeleteItem', 'GetItem', 'BatchWriteItem', 'BatchGetItem', 'Query', 'Scan'],
  ...['TransactWriteItems', 'TransactGetItems', 'ExecuteStatement', 'BatchExecuteStatement'],
  ...['UpdateTimeToLive', 'DescribeTimeToLive', 'TagResource', 'UntagResource', 'ListTagsOfResource'],
  ...['ListStreams', 'DescribeStream', 'GetShardIterator', 'GetRecords'],
])

/** Fields of DynamoDB that would be ignored. */
const unsupportedFields: Readonly<Record<string, readonly string[]>> = {
  CreateTable: [
    ...['WarmThroughput', 'ResourcePolicy', 'OnDemandThroughput', 'GlobalTableSourceArn'],
    ...['GlobalTableSettingsReplicationMode', 'VectorIndexes'],
  ],
  UpdateTable: [
    ...['ReplicaUpdates', 'MultiRegionConsistency', 'GlobalTableWitnessUpdates', 'OnDemandThroughput'],
    ...['WarmThroughput', 'GlobalTableSettingsReplicationMode', 'DisassociationProtectionEnabled'],
    ...['VectorIndexUpdates'],
  ],
  ExecuteStatement: ['NextToken', 'Limit'],
}

const indexFields = ['OnDemandThroughput', 'WarmThroughput']

/** Refuses what would otherwise be ignored, with a message that names it. */
export function withRefusals(engine: Engine): Engine {
  return async call => {
    if (call.operation !== '' && !operations.has(call.operation)) {
      return refuse('UnknownOperationException', `${call.operation} is not supported by local-dynamodb`)
    }
    const problem = findUnsupported(call) ?? findWrongSelect(call)
    return problem === undefined ? engine(call) : refuse('ValidationException', problem)
  }
}

function findUnsupported({ operation, input }: Call): string | undefined {
  const notSupported = (name: string): string => `${name} is not supported by local-dynamodb`
  const field = unsupportedFields[operation]?.find(name => input[name] != null)
  if (field !== undefined) return notSupported(field)
  if (/ExecuteStatement$/.test(operation)) {
    const ignored = findIgnoredInStatement(operation === 'ExecuteStatement' ? [input] : input['Statements'])
    if (ignored !== undefined) return notSupported(`${ignored} of a statement`)
    if ((input['ReturnConsumedCapacity'] ?? 'NONE') === 'NONE') return undefined
    return notSupported(`ReturnConsumedCapacity of ${operation}`)
  }
  if (!/^(Create|Update)Table$/.test(operation)) return undefined
  const { Enabled } = (input['SSESpecification'] ?? {}) as { Enabled?: unknown }
  if (Enabled === true) return notSupported('SSESpecification with Enabled: true')
  const updates = Array.isArray(input['GlobalSecondaryIndexUpdates'])
    ? input['GlobalSecondaryIndexUpdates']
    : []
  for (const name of ['Create', 'Delete']) {
    if (updates.some(update => update?.[name] != null)) {
      return notSupported(`${name} of GlobalSecondaryIndexUpdates`)
    }
  }
  for (const index of indexesOf(input)) {
    const name = indexFields.find(one => index[one] != null)
    if (name !== undefined) return notSupported(`${name} of an index`)
  }
  return undefined
}

/** What a statement would ignore, as it can only insert. */
function findIgnoredInStatement(statements: unknown): string | undefined {
  const given: readonly Record<string, unknown>[] = Array.isArray(statements)
    ? statements.filter(Boolean)
    : []
  if (given.some(one => one['ConsistentRead'] === true)) return 'ConsistentRead'
  const name = 'ReturnValuesOnConditionCheckFailure'
  return given.some(one => (one[name] ?? 'NONE') !== 'NONE') ? name : undefined
}

function indexesOf(input: Call['input']): Record<string, unknown>[] {
  const listed = (name: string): Record<string, unknown>[] =>
    Array.isArray(input[name]) ? input[name].filter(Boolean) : []
  const updates = listed('GlobalSecondaryIndexUpdates').flatMap(({ Create, Update }) => [Create, Update])
  return [...listed('GlobalSecondaryIndexes'), ...(updates.filter(Boolean) as Record<string, unknown>[])]
}

/** dynalite reads only some combinations of `Select` and what it is about. */
function findWrongSelect({ operation, input }: Call): string | undefined {
  const { Select, IndexName } = input
  if (Select == null || !/^(Query|Scan)$/.test(operation)) return undefined
  const projection = ['AttributesToGet', 'ProjectionExpression'].find(name => input[name] != null)
  if (Select === 'SPECIFIC_ATTRIBUTES') {
    if (projection !== undefined) return undefined
    return 'Must specify the AttributesToGet or ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES'
  }
  if (projection !== undefined) return `Cannot specify the ${projection} when choosing to get ${Select}`
  if (Select !== 'ALL_PROJECTED_ATTRIBUTES' || IndexName != null) return undefined
  const doing = operation === 'Query' ? 'Querying' : 'Scanning'
  return `One or more parameter values were invalid: ALL_PROJECTED_ATTRIBUTES can be used only when ${doing} using an IndexName`
}
