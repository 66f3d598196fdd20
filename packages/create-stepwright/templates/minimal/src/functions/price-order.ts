import { binding } from '@stepwright/app/bindings'
import { lambda } from '@stepwright/app/functions'
import { createCatalogue } from '../catalogue.ts'
import { priceOrder } from '../price-order.ts'

export const PriceOrder = lambda(
  priceOrder,
  { catalogue: binding({ open: createCatalogue }) },
  { timeoutSeconds: 20 },
)
