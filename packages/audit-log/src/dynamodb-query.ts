import type { DynamoDBClient, QueryCommandInput, QueryCommandOutput } from '@aws-sdk/client-dynamodb'
import { QueryCommand } from '@aws-sdk/client-dynamodb'
import type { Item } from './dynamodb-items.ts'

/** All items of a query, page after page; while one is used, the next is on its way. */
export async function* queryItems(
  client: Pick<DynamoDBClient, 'send'>,
  input: QueryCommandInput,
): AsyncGenerator<Item> {
  const read = (start?: Item): Promise<QueryCommandOutput> => {
    const page = client.send(
      new QueryCommand({
        ConsistentRead: input.IndexName === undefined,
        ...input,
        ...(start && { ExclusiveStartKey: start }),
      }),
    )
    // It is awaited when its turn has come, or not at all.
    page.catch(() => {})
    return page
  }
  let coming: Promise<QueryCommandOutput> | undefined = read()
  while (coming) {
    const { Items = [], LastEvaluatedKey }: QueryCommandOutput = await coming
    coming = LastEvaluatedKey && read(LastEvaluatedKey)
    yield* Items
  }
}
