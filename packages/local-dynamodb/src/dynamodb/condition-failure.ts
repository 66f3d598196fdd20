import type { Call, Engine } from './engine.ts'
import { describeKeys, jsonAnswer, runCall } from './engine-calls.ts'

/**
 * Adds `ReturnValuesOnConditionCheckFailure` to an engine that does not have it: the item that a condition did not hold
 * for. It is read after the refusal, so that another write may have come between.
 */
export function withRefusedItems(engine: Engine): Engine {
  return async call => {
    const answer = await engine(call)
    const isAsked = call.input['ReturnValuesOnConditionCheckFailure'] === 'ALL_OLD'
    if (!isAsked || answer.status !== 400) return answer
    const refusal = JSON.parse(answer.body) as { __type?: string }
    if (!refusal.__type?.endsWith('#ConditionalCheckFailedException')) return answer
    const { TableName } = call.input
    const Key = call.input['Key'] ?? (await keyOfItem(engine, call))
    const input = { TableName, Key, ConsistentRead: true }
    const { Item } = JSON.parse((await runCall(engine, call, 'GetItem', input)).body)
    return jsonAnswer(400, { ...refusal, ...(Item && { Item }) })
  }
}

async function keyOfItem(engine: Engine, call: Call): Promise<object> {
  const item = call.input['Item'] as Readonly<Record<string, unknown>>
  const names = (await describeKeys(engine, call, String(call.input['TableName']))) ?? []
  return Object.fromEntries(names.map(name => [name, item[name]]))
}
