import { toKinesisHandler } from '@stepwright/task/kinesis'
import { toSnsHandler } from '@stepwright/task/sns'
import { openStock, reserveStock } from './task-reserve.ts'

const stock = openStock('stock')
export const fromKinesis = toKinesisHandler(reserveStock, { ports: { stock } })
export const fromSns = toSnsHandler(reserveStock, { ports: { stock } })
