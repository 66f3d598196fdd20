import { defineApp } from '@stepwright/app'
import { workflow } from '@stepwright/app/bindings'
import { createConsoleFeed, startConsole } from '@stepwright/console'
import { startApp } from '@stepwright/local-cloud'
import { expect, it } from 'vitest'

it('opens the console of an app', async () => {
  const app = defineApp({
    name: 'hello',
    root: new URL('.', import.meta.url),
    functions: {},
    workflows: [[workflow('hello'), { definition: 'hello.asl.json' }]],
  })
  const feed = createConsoleFeed()
  await using running = await startApp(app, { onCall: feed.onCall, onStatusChange: feed.onStatusChange })
  await using console = await startConsole({ app, running, feed })
  expect((await fetch(console.url)).status).toBe(200) // open it in a browser
})
