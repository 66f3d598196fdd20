import { AIGenerationWorker } from '../../src/functions/ai-generation-worker.ts'

// Works on one generation, as Lambda's process of the worker does: `node worker.mjs EVENT ENVIRONMENT`.

const [, , event = '', environment = ''] = process.argv
Object.assign(process.env, JSON.parse(environment))
await AIGenerationWorker(JSON.parse(event))
process.exit()
