import { toLambdaHandler } from '@stepwright/task/lambda'
import { greet } from './greet.ts'

export const handleGreet = toLambdaHandler(greet, { ports: {} })
