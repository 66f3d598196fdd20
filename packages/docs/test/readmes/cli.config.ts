import { defineConfig } from '@stepwright/cli'
import { validate, writeChunk } from './src/tasks.ts'

export default defineConfig({
  workflows: [{ definition: 'import.asl.json', tasks: { Validate: validate, WriteChunk: writeChunk } }],
})
