import * as z from 'zod/mini'

export const input = z.object({ sku: z.string(), count: z.int() })
export const output = z.object({ left: z.int() })
export const stock: { left: number } = { left: 1_000_000 }
