import type { QueryLanguage } from '@stepwright/asl'
import type { Flow, FlowFields } from './flow.ts'
import { compileJsonataFlow } from './jsonata-flow.ts'
import { compileJsonpathFlow } from './jsonpath-flow.ts'

/** A state's data flow, on the way to the state `next`, or to the end. */
export function compileFlow(language: QueryLanguage, fields: FlowFields, next: string | undefined): Flow {
  return language === 'JSONata' ? compileJsonataFlow(fields, next) : compileJsonpathFlow(fields, next)
}
