import { aiGenerationWorker } from '../../src/handlers.ts'

// Works on one generation, as Lambda's process of the worker does: `node worker.mjs EVENT ENVIRONMENT`.

const [, , event = '', environment = ''] = process.argv
Object.assign(process.env, JSON.parse(environment))
await aiGenerationWorker(JSON.parse(event))
process.exit()
