import { toArn } from '../arn.ts'
import { allow, type Statement } from '../statement.ts'
import { type Call, isObject, pascal } from './call.ts'

const partiQl: Readonly<Record<string, string>> = {
  select: 'dynamodb:PartiQLSelect',
  insert: 'dynamodb:PartiQLInsert',
  update: 'dynamodb:PartiQLUpdate',
  delete: 'dynamodb:PartiQLDelete',
}

const transacted: Readonly<Record<string, string>> = {
  ConditionCheck: 'dynamodb:ConditionCheckItem',
  Delete: 'dynamodb:DeleteItem',
  Get: 'dynamodb:GetItem',
  Put: 'dynamodb:PutItem',
  Update: 'dynamodb:UpdateItem',
}

/** DynamoDB: transactions and statements are authorized by what is in them. */
export function tableStatements(call: Call): readonly Statement[] {
  const { action } = call
  if (action === 'batchGetItem' || action === 'batchWriteItem')
    return on(
      action === 'batchGetItem' ? ['dynamodb:BatchGetItem'] : ['dynamodb:BatchWriteItem'],
      requested(call),
    )
  if (action === 'transactGetItems' || action === 'transactWriteItems') return transaction(call)
  if (action === 'executeStatement') return statement(call.text('Statement'))
  if (action === 'batchExecuteStatement' || action === 'executeTransaction') return statements(call)
  if (action === 'listTables') return on(['dynamodb:ListTables'], ['*'])
  const table = tableArn(call.text('TableName'))
  const index = call.text('IndexName')
  return on([`dynamodb:${pascal(action)}`], [index === undefined ? table : `${table}/index/${index}`])
}

function on(actions: readonly string[], resources: readonly string[]): readonly Statement[] {
  return [allow('UseTables', actions, resources)]
}

function tableArn(name = '*'): string {
  return toArn(name, 'dynamodb', 'table/')
}

function requested(call: Call): readonly string[] {
  const items = call.value('RequestItems')
  return isObject(items)
    ? Object.keys(items).map(name => tableArn(name.endsWith('.$') ? name.slice(0, -2) : name))
    : [tableArn()]
}

function transaction(call: Call): readonly Statement[] {
  const items = call.value('TransactItems')
  if (!Array.isArray(items)) {
    const actions = Object.values(transacted)
    return on(
      call.action === 'transactGetItems'
        ? ['dynamodb:GetItem']
        : actions.filter(each => !each.endsWith('GetItem')),
      [tableArn()],
    )
  }
  return items.flatMap(item =>
    Object.entries(transacted).flatMap(([kind, action]) => {
      const part = call.within(item).value(kind)
      return part === undefined ? [] : on([action], [tableArn(call.within(part).text('TableName'))])
    }),
  )
}

function statements(call: Call): readonly Statement[] {
  const all = call.value('Statements') ?? call.value('TransactStatements')
  return Array.isArray(all)
    ? all.flatMap(each => statement(call.within(each).text('Statement')))
    : statement()
}

function statement(text = '*'): readonly Statement[] {
  const [, verb = '', table, index] = /^\s*(\w+)\b.*?"([\w.-]+)"(?:\."([\w.-]+)")?/is.exec(text) ?? []
  const action = partiQl[verb.toLowerCase()]
  const resource = index === undefined ? tableArn(table) : `${tableArn(table)}/index/${index}`
  return on(action === undefined ? Object.values(partiQl) : [action], [resource])
}
