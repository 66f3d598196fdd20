export { PriceOrder } from './price-order.ts'
export { StartOrder } from './start-order.ts'
