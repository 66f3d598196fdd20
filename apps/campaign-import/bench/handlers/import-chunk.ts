export { ImportChunk as handler } from '../../src/functions/import-chunk.ts'
