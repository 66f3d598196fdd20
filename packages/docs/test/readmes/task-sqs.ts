import { createSqsDeadLetters } from '@stepwright/task/dead-letters'
import { toSqsHandler } from '@stepwright/task/sqs'
import { openStock, reserveStock } from './task-reserve.ts'

const { TABLE_NAME = '', LETTERS_URL = '' } = process.env
export const reserve = toSqsHandler(reserveStock, {
  ports: () => ({ stock: openStock(TABLE_NAME) }),
  deadLetters: () => createSqsDeadLetters({ queueUrl: LETTERS_URL }), // of ./dead-letters
})
