import { TaskFunction, Workflow } from '@stepwright/cdk'
import { App, Stack } from 'aws-cdk-lib'
import { reserveStock } from './task-reserve.ts'

export function createShop(entry: string, definition: string): Stack {
  const stack = new Stack(new App(), 'shop')
  const Reserve = new TaskFunction(stack, 'Reserve', { entry, export: 'reserve', task: reserveStock })
  new Workflow(stack, 'Order', { definition, functions: { Reserve } })
  return stack
}
