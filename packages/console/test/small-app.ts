import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { App } from '@stepwright/app'

const one = { StartAt: 'One', States: { One: { Type: 'Pass', End: true } } }

/** What the small app's workflows are at first. */
export const definitions = {
  plain: {
    StartAt: 'First',
    States: {
      First: { Type: 'Pass', Assign: { v: 1 }, Next: 'Second' },
      Second: { Type: 'Pass', End: true },
    },
  },
  quick: one,
  many: { StartAt: 'Each', States: { Each: { Type: 'Map', ItemProcessor: one, End: true } } },
  spread: {
    StartAt: 'Each',
    States: {
      Each: {
        Type: 'Map',
        ItemProcessor: { ProcessorConfig: { Mode: 'DISTRIBUTED', ExecutionType: 'STANDARD' }, ...one },
        End: true,
      },
    },
  },
} as const

/** An app in a directory of its own, that needs no database and no function. */
export interface SmallApp extends Disposable {
  readonly app: App
  readonly folder: string
  /** Changes a workflow's file. */
  write(workflow: keyof typeof definitions, definition: object): void
}

export function createSmallApp(): SmallApp {
  const folder = mkdtempSync(join(tmpdir(), 'stepwright-console-'))
  const write = (workflow: string, definition: object): void =>
    writeFileSync(join(folder, `${workflow}.asl.json`), JSON.stringify(definition))
  for (const [workflow, definition] of Object.entries(definitions)) write(workflow, definition)
  const workflow = (name: string) => ({ definition: `${name}.asl.json` })
  return {
    folder,
    write,
    app: {
      name: 'small',
      root: pathToFileURL(`${folder}/`),
      functions: {},
      workflows: {
        plain: workflow('plain'),
        quick: { ...workflow('quick'), type: 'EXPRESS' },
        many: workflow('many'),
        spread: workflow('spread'),
      },
      resources: {
        buckets: { files: {} },
        queues: { letters: { maxReceives: 1 } },
        tables: {
          stock: {
            TableName: 'small-stock',
            AttributeDefinitions: [{ AttributeName: 'sku', AttributeType: 'S' }],
            KeySchema: [{ AttributeName: 'sku', KeyType: 'HASH' }],
            BillingMode: 'PAY_PER_REQUEST',
            TimeToLiveAttribute: 'endsAt',
          },
        },
      },
    } satisfies App,
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  }
}
