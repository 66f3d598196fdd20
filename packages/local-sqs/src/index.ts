export { type Sqs, type SqsOptions, startSqs } from './sqs.ts'
