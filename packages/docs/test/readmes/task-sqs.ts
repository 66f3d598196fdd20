import { createSqsDeadLetters } from '@stepwright/task/dead-letters'
import { toSqsHandler } from '@stepwright/task/sqs'
import { openStock, reserveStock, settings } from './task-reserve.ts'

export const reserve = toSqsHandler(reserveStock, {
  settings,
  ports: ({ TABLE_NAME }) => ({ stock: openStock(TABLE_NAME) }),
  deadLetters: ({ LETTERS_URL }) => createSqsDeadLetters({ queueUrl: LETTERS_URL }), // of ./dead-letters
})
