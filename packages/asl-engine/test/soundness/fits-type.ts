import type { Json } from '@stepwright/asl'

/** Whether a value is of a type as `stateTypesOf` writes it: a small part of TypeScript. */
export function fitsType(text: string, value: Json): boolean {
  const tokens = text.match(/"(?:[^"\\]|\\.)*"|-?\d[\d.e+-]*|[\p{L}_$][\p{L}\p{N}_$]*|[{}[\]()|?:,]/gu) ?? []
  let at = 0
  const take = (token: string): boolean => {
    if (tokens[at] !== token) return false
    at += 1
    return true
  }
  const next = (): string => {
    at += 1
    return tokens[at - 1] ?? ''
  }
  type Check = (each: Json) => boolean

  const readUnion = (): Check => {
    const parts = [readList()]
    while (take('|')) parts.push(readList())
    return each => parts.some(part => part(each))
  }
  const readList = (): Check => {
    const isReadonly = take('readonly')
    if (isReadonly && take('[')) return readTuple()
    let check = readOne()
    while (tokens[at] === '[' && tokens[at + 1] === ']') {
      at += 2
      const item = check
      check = each => Array.isArray(each) && each.every(item)
    }
    return check
  }
  const readTuple = (): Check => {
    const items: Check[] = []
    while (!take(']')) {
      items.push(readUnion())
      take(',')
    }
    return each =>
      Array.isArray(each) &&
      each.length === items.length &&
      items.every((item, index) => item(each[index] as Json))
  }
  const readOne = (): Check => {
    if (take('{')) return readObject()
    if (take('(')) {
      const inner = readUnion()
      take(')')
      return inner
    }
    const word = next()
    if (word === 'unknown') return () => true
    if (word === 'never') return () => false
    if (word === 'null') return each => each === null
    if (word === 'string' || word === 'number' || word === 'boolean') return each => typeof each === word
    const literal = JSON.parse(word) as Json
    return each => each === literal
  }
  const readObject = (): Check => {
    const fields: { readonly name: string; readonly isOptional: boolean; readonly check: Check }[] = []
    while (!take('}')) {
      take('readonly')
      if (take('[')) {
        at += 4 // field: string]
        take(':')
        readUnion()
        continue
      }
      const word = next()
      const isOptional = take('?')
      take(':')
      const name = word.startsWith('"') ? (JSON.parse(word) as string) : word
      fields.push({ name, isOptional, check: readUnion() })
    }
    return each =>
      typeof each === 'object' &&
      each !== null &&
      !Array.isArray(each) &&
      fields.every(({ name, isOptional, check }) =>
        Object.hasOwn(each, name) ? check((each as Record<string, Json>)[name] as Json) : isOptional,
      )
  }
  const check = readUnion()
  if (at !== tokens.length) throw new Error(`cannot read ${text} at ${tokens.slice(at, at + 5).join(' ')}`)
  return check(value)
}
