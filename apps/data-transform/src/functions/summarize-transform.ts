import { lambda } from '@stepwright/app/functions'
import { logFields } from '../correlation.ts'
import { summarizeTransform } from '../summarize-transform.ts'

export const SummarizeTransform = lambda(summarizeTransform, {}, { timeoutSeconds: 20, logFields })
