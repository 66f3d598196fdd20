import { ConsoleProblem } from '../problem.ts'

/** A whole number from 0 on, e.g. an offset. @throws ConsoleProblem for anything else */
export function readCount(query: URLSearchParams, name: string): number {
  const text = query.get(name) ?? '0'
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw new ConsoleProblem(400, `${name} must be a whole number from 0 on.`)
}
