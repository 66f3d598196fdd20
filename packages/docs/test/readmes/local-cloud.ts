import { startApp } from '@stepwright/local-cloud'
import { app } from './app.ts' // made by defineApp

await using running = await startApp(app)
const ended = running.ended('order')
await running.start('order', { sku: 'A1' })
const { status, output } = await ended

export { output, status }
