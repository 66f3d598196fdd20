import {
  type ExecutionListItem,
  ListExecutionsCommand,
  type ListExecutionsCommandOutput,
  type SFNClient,
} from '@aws-sdk/client-sfn'
import type { ConsoleFeed } from '../feed.ts'

/** Of each state machine; older ones are found by their ARN only. */
const maxListed = 5000
const pageSize = 1000

type Item = Partial<ExecutionListItem>

export interface IndexedExecutions {
  /** In no order. */
  readonly executions: readonly Item[]
  /** `false` where there are more. */
  readonly isComplete: boolean
}

/** The latest executions of state machines. */
export interface ExecutionIndex {
  of(stateMachineArn: string): Promise<IndexedExecutions>
}

interface KeptList {
  readonly items: Map<string, Item>
  isComplete: boolean
}

/**
 * Lists a state machine once and then hears of what happens, so that thousands need not be listed again for each change.
 * Without a feed, and for Express executions, of which no feed tells, they are.
 */
export function createExecutionIndex(client: SFNClient, feed: ConsoleFeed | undefined): ExecutionIndex {
  const kept = new Map<string, Promise<KeptList>>()
  feed?.subscribe({
    onStatusChange({ detail }) {
      // After the list, if that is still being read.
      void kept.get(detail.stateMachineArn)?.then(
        list => take(list, toItem(detail)),
        () => undefined,
      )
    },
  })

  async function read(stateMachineArn: string): Promise<KeptList> {
    const items = new Map<string, Item>()
    for (let nextToken: string | undefined; ; ) {
      const page: ListExecutionsCommandOutput = await client.send(
        new ListExecutionsCommand({ stateMachineArn, maxResults: pageSize, ...(nextToken && { nextToken }) }),
      )
      for (const item of page.executions ?? []) items.set(item.executionArn ?? '', item)
      nextToken = page.nextToken
      if (nextToken === undefined || items.size >= maxListed)
        return { items, isComplete: nextToken === undefined }
    }
  }

  async function listOf(stateMachineArn: string): Promise<KeptList> {
    const known = kept.get(stateMachineArn)
    if (known) return known
    const reading = read(stateMachineArn)
    if (feed) kept.set(stateMachineArn, reading)
    try {
      const list = await reading
      const [first] = list.items.keys()
      // An empty list may be one of Express executions, and costs nothing.
      if (first === undefined || first.includes(':express:')) kept.delete(stateMachineArn)
      return list
    } catch (error) {
      kept.delete(stateMachineArn)
      // Express executions that nobody keeps.
      if ((error as Error).name === 'StateMachineTypeNotSupported')
        return { items: new Map(), isComplete: true }
      throw error
    }
  }

  return {
    async of(stateMachineArn) {
      const { items, isComplete } = await listOf(stateMachineArn)
      return { executions: [...items.values()], isComplete }
    },
  }
}

type StatusChange = Parameters<ConsoleFeed['onStatusChange']>[0]

function toItem({
  executionArn,
  stateMachineArn,
  name,
  status,
  startDate,
  stopDate,
}: StatusChange['detail']): Item {
  return {
    executionArn,
    stateMachineArn,
    name,
    status: status as NonNullable<ExecutionListItem['status']>,
    startDate: new Date(startDate),
    ...(stopDate !== null && { stopDate: new Date(stopDate) }),
  }
}

function take(list: KeptList, item: Item): void {
  const { items } = list
  const before = items.get(item.executionArn ?? '')
  const isRedriven = before?.stopDate !== undefined && item.status === 'RUNNING'
  const redriveCount = (before?.redriveCount ?? 0) + (isRedriven ? 1 : 0)
  items.set(item.executionArn ?? '', { ...item, redriveCount })
  if (items.size < 2 * maxListed) return
  const oldestFirst = [...items].sort(([, a], [, b]) => Number(a.startDate) - Number(b.startDate))
  for (const [arn] of oldestFirst.slice(0, -maxListed)) items.delete(arn)
  list.isComplete = false
}
