import { defineApp } from '@stepwright/app'
import { binding, table } from '@stepwright/app/bindings'
import { dynamoDbStream } from '@stepwright/app/functions'
import { defineTask } from '@stepwright/task'
import * as z from 'zod'

const stock = table('stock', {
  TableName: 'shop-stock',
  AttributeDefinitions: [{ AttributeName: 'sku', AttributeType: 'S' }],
  KeySchema: [{ AttributeName: 'sku', KeyType: 'HASH' }],
  TimeToLiveAttribute: 'endsAt',
})

const noteChange = defineTask({
  name: 'note-change',
  input: z.object({ eventName: z.string(), keys: z.object({ sku: z.string() }) }),
  output: z.void(),
  errors: [],
  run: ({ eventName, keys }, { notes }: { notes: string[] }) => {
    notes.push(`${eventName} ${keys.sku}`)
  },
})

export const NoteChange = dynamoDbStream(noteChange, { notes: binding<string[]>({ open: () => [] }) })

export const app = defineApp({
  name: 'shop',
  root: new URL('.', import.meta.url),
  functions: { NoteChange },
  resources: { stock },
  triggers: { StockChanged: { stream: stock, calls: NoteChange } },
})
