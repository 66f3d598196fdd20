import { defineBusinessError } from '@stepwright/errors'
import { defineTask } from '@stepwright/task'
import { toLambdaHandler } from '@stepwright/task/lambda'
import { input, output, stock } from './schemas.ts'

class OutOfStock extends defineBusinessError('OutOfStock') {}

const reserve = defineTask({
  name: 'reserve-stock',
  input,
  output,
  errors: [OutOfStock],
  async run({ count }, _ports, { metrics }) {
    if (count > stock.left) throw new OutOfStock(`only ${stock.left} left`)
    metrics.add('Reserved', count)
    return { left: stock.left - count }
  },
})

export const handler = toLambdaHandler(reserve)
