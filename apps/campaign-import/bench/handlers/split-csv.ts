export { splitCsv as handler } from '../../src/handlers.ts'
