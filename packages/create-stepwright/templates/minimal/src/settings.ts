import * as z from 'zod'

export const startSettings = z.object({ ORDER_ARN: z.string() })
