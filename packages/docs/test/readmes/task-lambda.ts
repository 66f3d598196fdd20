import { toLambdaHandler } from '@stepwright/task/lambda'
import { openStock, reserveStock, settings } from './task-reserve.ts'

export const reserve = toLambdaHandler(reserveStock, {
  settings,
  ports: ({ TABLE_NAME }) => ({ stock: openStock(TABLE_NAME) }),
})
