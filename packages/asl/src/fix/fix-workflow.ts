import { type CheckOptions, checkWorkflow } from '../check-workflow.ts'
import { type ParseOptions, parseDefinition } from '../source/parse-definition.ts'
import { applyFixes } from './apply-fixes.ts'

const maxRounds = 5

/**
 * The text of a definition, JSON or YAML, with Retry and Catch put in step with the tasks.
 * Every other character stays as it is.
 */
export function fixWorkflow(text: string, options: CheckOptions & ParseOptions = {}): string {
  let fixed = text
  for (let round = 0; round < maxRounds; round += 1) {
    const source = parseDefinition(fixed, options)
    if (source.broken) return fixed
    const next = applyFixes(source, checkWorkflow(source, options))
    if (next === fixed) return fixed
    fixed = next
  }
  return fixed
}
