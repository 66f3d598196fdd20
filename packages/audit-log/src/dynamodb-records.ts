import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { ExecuteStatementCommand, GetItemCommand } from '@aws-sdk/client-dynamodb'
import { UnexpectedError } from '@stepwright/errors'
import { type Item, toItemKey } from './dynamodb-items.ts'

export interface DynamoDbRecordsOptions {
  readonly client: Pick<DynamoDBClient, 'send'>
  readonly tableName: string
}

/**
 * New items of a table. All writing is PartiQL's INSERT, which never replaces an item: a role with
 * `dynamodb:PartiQLInsert` alone can add to the trail, but neither change nor delete. `PutItem` replaces, and
 * `BatchWriteItem` deletes, too.
 */
export interface DynamoDbRecords {
  get(key: Item): Promise<Item | undefined>
  /** Adds an item unless its key is taken; returns what is stored then. */
  insert(item: Item): Promise<Item>
}

export function createDynamoDbRecords({ client, tableName }: DynamoDbRecordsOptions): DynamoDbRecords {
  if (!/^[\w.-]{3,255}$/.test(tableName)) {
    throw new TypeError('tableName must be 3 to 255 letters, digits, "_", "-" or "."')
  }

  function toStatement(item: Item): { Statement: string; Parameters: Item[string][] } {
    const members = Object.keys(item).map(name => `'${name}': ?`)
    return {
      Statement: `INSERT INTO "${tableName}" VALUE {${members.join(', ')}}`,
      Parameters: Object.values(item),
    }
  }

  async function get(key: Item): Promise<Item | undefined> {
    const command = new GetItemCommand({ TableName: tableName, Key: key, ConsistentRead: true })
    return (await client.send(command)).Item
  }

  return {
    get,
    async insert(item) {
      try {
        await client.send(new ExecuteStatementCommand(toStatement(item)))
        return item
      } catch (error) {
        if ((error as Error).name !== 'DuplicateItemException') throw error
      }
      const { executionId, recordKey } = item as { executionId: { S: string }; recordKey: { S: string } }
      const stored = await get(toItemKey(executionId.S, recordKey.S))
      if (stored) return stored
      throw new UnexpectedError(`audit record ${recordKey.S} of ${executionId.S} was deleted as it was read`)
    },
  }
}
