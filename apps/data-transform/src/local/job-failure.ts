/** A job's own failure, in words that quote nothing: the workflow shows them. */
export class JobFailure extends Error {
  override readonly name = 'JobFailure'
}

/**
 * What DuckDB says, without what it quotes: its messages hold the line that they are about, and the statement.
 */
export function describeDuckDbError(error: unknown): string {
  const text = error instanceof Error ? error.message : ''
  const [, line] = /CSV Error on Line: (\d+)/.exec(text) ?? []
  const [, expected, found] = /Expected Number of Columns: (\d+) Found: (\d+)/.exec(text) ?? []
  if (line !== undefined && expected !== undefined) {
    return `line ${line} of a CSV file must have ${expected} fields, as its header does, and has ${found}`
  }
  const [, jsonLine] = /Malformed JSON in file .*? in (?:line|record\/value) (\d+)/s.exec(text) ?? []
  if (jsonLine !== undefined) return `a JSON file must be JSON, and is not so at line ${jsonLine}`
  if (/sniffing file/.test(text)) return 'the lines of a CSV file must have as many fields as its header'
  const own = [noObject, keyTwice].find(each => text.includes(each))
  if (own !== undefined) return own
  if (/^Out of Memory/.test(text)) return 'the data did not fit into memory'
  if (line !== undefined) return `line ${line} of a CSV file could not be read`
  const [, kind = 'unknown'] = /^([A-Z][A-Za-z ]{2,40}) Error:/.exec(text) ?? []
  return `the data could not be read (${kind} error of DuckDB)`
}

/** What a statement fails with by `error(…)`. */
export const noObject = 'a JSON file must hold objects'
export const keyTwice = 'an object of a JSON file has a key twice, or two that differ in case only'
