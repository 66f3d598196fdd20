import { binding } from '@stepwright/app/bindings'
import { lambda } from '@stepwright/app/functions'
import { createCatalogue } from '../catalogue.ts'
import { priceOrder } from '../price-order.ts'

const catalogue = binding({ open: createCatalogue })
export const PriceOrder = lambda(priceOrder, { catalogue }, { timeoutSeconds: 20 })
