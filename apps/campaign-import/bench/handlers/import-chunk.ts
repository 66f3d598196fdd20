export { importChunk as handler } from '../../src/handlers.ts'
