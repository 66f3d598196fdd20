import { readFileSync } from 'node:fs'
import type { RuleId } from './rules.ts'

/** The page of a rule, in Markdown: what it finds, why it matters, a bad and a good example. */
export function explainRule(rule: RuleId): string {
  return readFileSync(new URL(`../docs/rules/${rule.replace('/', '-')}.md`, import.meta.url), 'utf8')
}
