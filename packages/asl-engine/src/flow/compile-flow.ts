import type { QueryLanguage } from '@stepwright/asl'
import type { Flow, FlowFields } from './flow.ts'
import { compileJsonataFlow } from './jsonata-flow.ts'
import { compileJsonpathFlow } from './jsonpath-flow.ts'

export function compileFlow(language: QueryLanguage, fields: FlowFields): Flow {
  return language === 'JSONata' ? compileJsonataFlow(fields) : compileJsonpathFlow(fields)
}
