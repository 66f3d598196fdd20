import { toLambdaHandler } from '@stepwright/task/lambda'
import { parseSettings } from '@stepwright/task/settings'
import * as z from 'zod'
import { openStock, reserveStock } from './task-reserve.ts'

const settings = z.object({ TABLE_NAME: z.string() })
export const reserve = toLambdaHandler(reserveStock, {
  ports: () => ({ stock: openStock(parseSettings(settings).TABLE_NAME) }),
})
