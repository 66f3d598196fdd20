import type { FilterOperand, PathFilter, PathStep } from '@stepwright/asl/expressions'
import { BoundedRegExp, SlowPatternError } from '../expressions/bounded-regexp.ts'
import { runtimeFailure } from '../failures/state-failure.ts'
import type { Json } from '../json.ts'
import { compare } from './compare.ts'
import { evaluateSteps, type FilterTest, type Found, type Step } from './evaluate.ts'

/** Makes the filters of a path ready to be asked. */
export function compileSteps(steps: readonly PathStep[]): readonly Step[] {
  return steps.map(step =>
    step.kind === 'filter' ? { kind: 'filter', test: compileFilter(step.filter) } : step,
  )
}

function compileFilter(filter: PathFilter): FilterTest {
  switch (filter.kind) {
    case 'and':
    case 'or': {
      const tests = filter.filters.map(compileFilter)
      return filter.kind === 'and'
        ? (node, root) => tests.every(test => test(node, root))
        : (node, root) => tests.some(test => test(node, root))
    }
    case 'not': {
      const test = compileFilter(filter.filter)
      return (node, root) => !test(node, root)
    }
    case 'exists': {
      const operand = compileOperand(filter.operand)
      return (node, root) => operand(node, root) !== undefined
    }
    case 'comparison': {
      const left = compileOperand(filter.left)
      const right = compileOperand(filter.right)
      return (node, root) => compare(filter.operator, left(node, root), right(node, root))
    }
    case 'match': {
      const operand = compileOperand(filter.operand)
      return (node, root) => {
        const value = operand(node, root)
        return typeof value === 'string' && matches(filter.pattern, value)
      }
    }
    case 'unreadable':
      return () => {
        throw runtimeFailure(`Invalid path: ${filter.problem}`)
      }
  }
}

function matches(pattern: RegExp, text: string): boolean {
  try {
    return new BoundedRegExp(pattern).exec(text) !== null
  } catch (error) {
    throw error instanceof SlowPatternError ? runtimeFailure(error.message) : error
  }
}

function compileOperand(operand: FilterOperand): (node: Json, root: Json) => Found {
  if (operand.kind === 'value') return () => operand.value
  const steps = { steps: compileSteps(operand.steps), definite: operand.definite }
  return operand.from === 'item'
    ? (node, root) => evaluateSteps(steps, node, root)
    : (_node, root) => evaluateSteps(steps, root, root)
}
