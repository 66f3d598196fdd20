type Tree = Map<string, Tree | string>

/**
 * The parameters that a form spells out: `A.B` is a field of a structure, `A.member.1` an item of a list, and
 * `A.entry.1.key` with `A.entry.1.value` (or `Name`, `Value`) a field of a map.
 */
export function parseForm(form: URLSearchParams): Readonly<Record<string, unknown>> {
  const root: Tree = new Map()
  for (const [name, value] of form) {
    const steps = name.split('.')
    const last = steps.pop() ?? ''
    let at = root
    for (const step of steps) {
      const below = at.get(step)
      const next: Tree = below instanceof Map ? below : new Map()
      at.set(step, next)
      at = next
    }
    at.set(last, value)
  }
  return toValue(root) as Readonly<Record<string, unknown>>
}

function toValue(node: Tree | string | undefined): unknown {
  if (!(node instanceof Map)) return node
  const members = node.get('member')
  if (members instanceof Map) return inOrder(members).map(toValue)
  const entries = node.get('entry')
  if (entries instanceof Map) {
    return Object.fromEntries(
      inOrder(entries).flatMap(entry => {
        if (!(entry instanceof Map)) return []
        const value = toValue(entry.get('value') ?? entry.get('Value'))
        return [[String(entry.get('key') ?? entry.get('Name')), value]]
      }),
    )
  }
  return Object.fromEntries([...node].map(([key, value]) => [key, toValue(value)]))
}

function inOrder(items: Tree): (Tree | string)[] {
  return [...items].sort(([a], [b]) => Number(a) - Number(b)).map(([, item]) => item)
}
