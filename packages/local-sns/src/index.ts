export { type Sns, type SnsOptions, startSns } from './sns.ts'
