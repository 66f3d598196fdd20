import { boundBy, type JsonataNode } from './jsonata.ts'

/** What an expression takes from outside of itself. */
export interface JsonataUses {
  /** Variables that it does not bind itself; without `states`. */
  readonly variables: ReadonlySet<string>
  /** Variables that it asks for with `$exists` before it reads them. */
  readonly guarded: ReadonlySet<string>
  /** The fields of `$states` that it reads: `input`, `result`. */
  readonly states: ReadonlySet<string>
  readonly functions: ReadonlySet<string>
  /** Names, `$` and `$$` that need a context, where Step Functions gives none. */
  readonly bare: ReadonlySet<string>
}

interface Scope {
  readonly bound: ReadonlySet<string>
  /** Inside a path, a filter or a function there is a context. */
  readonly inContext: boolean
  readonly guarding: boolean
}

/** Reads a tree for what it uses. */
export function usesOf(tree: JsonataNode): JsonataUses {
  const uses = {
    variables: new Set<string>(),
    guarded: new Set<string>(),
    states: new Set<string>(),
    functions: new Set<string>(),
    bare: new Set<string>(),
  }

  const walkAll = (nodes: unknown, scope: Scope): void => {
    if (Array.isArray(nodes)) for (const node of nodes) walkAll(node, scope)
    else if (isNode(nodes)) walk(nodes, scope)
  }

  const bare = (name: string, scope: Scope): void => {
    if (!scope.inContext) uses.bare.add(name)
  }

  const variable = (name: string, scope: Scope): void => {
    if (name === '') bare('$', scope)
    else if (name === '$') uses.bare.add('$$')
    else if (name !== 'states' && !scope.bound.has(name))
      (scope.guarding ? uses.guarded : uses.variables).add(name)
  }

  const walkPath = (steps: readonly JsonataNode[], group: unknown, scope: Scope): void => {
    const [first, second] = steps
    if (first?.type === 'variable' && first.value === 'states' && second?.type === 'name')
      uses.states.add(String(second.value))
    let inner = scope
    for (const step of steps) {
      walk(step, inner)
      const names = [step['focus'], step['index']].filter(name => typeof name === 'string')
      inner = {
        ...inner,
        inContext: true,
        bound: names.length === 0 ? inner.bound : new Set([...inner.bound, ...names]),
      }
      for (const stage of [...(step.stages ?? []), ...(step.predicate ?? [])])
        walkAll((stage as JsonataNode)['expr'], inner)
    }
    walkAll((group as { readonly lhs?: unknown } | undefined)?.lhs, { ...inner, inContext: true })
  }

  const walkBlock = (expressions: readonly JsonataNode[], scope: Scope): void => {
    const bound = new Set(scope.bound)
    for (const expression of expressions) {
      for (const name of boundBy(expression)) bound.add(name)
      walk(expression, { ...scope, bound })
    }
  }

  const walkCall = (node: JsonataNode, scope: Scope): void => {
    const procedure = node['procedure'] as JsonataNode
    if (procedure.type !== 'variable') walk(procedure, scope)
    else if (!scope.bound.has(String(procedure.value))) uses.functions.add(String(procedure.value))
    walkAll(node['arguments'], { ...scope, guarding: scope.guarding || procedure.value === 'exists' })
  }

  const walk = (node: JsonataNode, scope: Scope): void => {
    switch (node.type) {
      case 'path':
        walkPath(node.steps ?? [], node.group, scope)
        break
      case 'variable':
        variable(String(node.value), scope)
        break
      case 'name':
      case 'wildcard':
      case 'descendant':
        bare(String(node.value), scope)
        break
      case 'block':
        walkBlock(node.expressions ?? [], scope)
        break
      case 'bind':
        walkAll(node.rhs, scope)
        break
      case 'lambda': {
        const names = (node['arguments'] as readonly JsonataNode[]).map(each => String(each.value))
        walkAll(node['body'], {
          ...scope,
          inContext: true,
          bound: new Set([...scope.bound, ...names]),
        })
        break
      }
      case 'function':
      case 'partial':
        walkCall(node, scope)
        break
      case 'condition':
        walkAll([node['condition'], node['then'], node['else']], scope)
        break
      case 'transform':
        walkAll([node['pattern'], node['update'], node['delete']], { ...scope, inContext: true })
        break
      case 'sort':
        for (const term of node['terms'] as readonly JsonataNode[])
          walkAll(term['expression'], { ...scope, inContext: true })
        break
      default:
        walkAll([node.lhs, node.rhs, node.expressions, node['expression']], scope)
        break
    }
  }
  walk(tree, { bound: new Set(), inContext: false, guarding: false })
  return uses
}

function isNode(value: unknown): value is JsonataNode {
  return typeof value === 'object' && value !== null && 'type' in value
}
