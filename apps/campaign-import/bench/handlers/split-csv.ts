export { SplitCSV as handler } from '../../src/functions/split-csv.ts'
