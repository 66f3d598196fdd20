import type { DuckDBConnection } from '@duckdb/node-api'
import type { JobSpec } from '../job.ts'
import { listOfTexts, quoteName, quoteText } from './duckdb.ts'
import { wrongGuess } from './job-failure.ts'
import type { StagedFile } from './stage-files.ts'

export type CsvSpec = Pick<JobSpec, 'delimiter' | 'types' | 'deduplicate'>

/** Of which rows types are guessed. */
export type Looked = 'sample' | 'all'

const date = String.raw`\d{4}[-/]\d\d?[-/]\d\d?`
const time = String.raw`${date}([T ]\d\d?:\d\d(:\d\d(\.\d+)?)?)?`

/**
 * How a text of a guessed type looks. Of others that come after the sample DuckDB makes something and says nothing:
 * it rounds 1.5, takes the zeros from 007 and the zone from a time, guesses which of 09-07 is the month, and takes 25 for
 * a year.
 */
const forms: Readonly<Record<string, string>> = {
  BIGINT: '-?(0|[1-9][0-9]*)',
  DOUBLE: String.raw`-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?`,
  DATE: date,
  TIMESTAMP: time,
  'TIMESTAMP WITH TIME ZONE': `${time}( ?(Z|[A-Z][A-Za-z_/]+|[+-][0-9:]+))?`,
}

/** What fits one of them fits those after it, too. */
const timeTypes: readonly string[] = ['DATE', 'TIMESTAMP', 'TIMESTAMP WITH TIME ZONE']

/** The statement that reads CSV files as one table. Of a sample only, it fails where other rows do not fit. */
export async function csvStatement(
  duckDb: DuckDBConnection,
  files: readonly StagedFile[],
  spec: CsvSpec,
  looked: Looked,
): Promise<string> {
  const guessed = await guessTypes(duckDb, files, spec, looked)
  // DuckDB looks columns up in whatever case.
  const given = new Map(Object.entries(spec.types).map(([name, type]) => [name.toLowerCase(), type]))
  const read = new Map<string, string>()
  const casts: string[] = []
  const checks: string[] = []
  for (const [name, guess] of guessed) {
    const column = quoteName(name)
    const type = given.get(name.toLowerCase())
    const form = type === undefined && looked === 'sample' ? forms[guess] : undefined
    if (form !== undefined) checks.push(`regexp_full_match(${column}, ${quoteText(form)})`)
    // A time is never left to the reader: it makes null of what it cannot read as a moment.
    const isTime = timeTypes.includes(guess) && type === undefined
    const target = type === undefined ? guess : castType(type)
    const isCast = form !== undefined || isTime || type === 'TIMESTAMP'
    read.set(name, isCast ? 'VARCHAR' : (type ?? guess))
    casts.push(isCast ? `CAST(${column} AS ${target}) AS ${column}` : column)
  }
  const where =
    checks.length === 0 ? '' : ` WHERE (${checks.join(' AND ')}) IS NOT FALSE OR error('${wrongGuess}')`
  return `SELECT ${spec.deduplicate ? 'DISTINCT ' : ''}${casts.join(', ')} FROM ${csvSource(files, spec, looked, read)}${where}`
}

/** A time without a zone is one of UTC; cast to one without, those with a zone would lose it. */
export function castType(type: string): string {
  return type === 'TIMESTAMP' ? 'TIMESTAMP WITH TIME ZONE' : type
}

async function guessTypes(
  duckDb: DuckDBConnection,
  files: readonly StagedFile[],
  spec: CsvSpec,
  looked: Looked,
): Promise<ReadonlyMap<string, string>> {
  const described = await duckDb.runAndReadAll(`SELECT * FROM ${csvSource(files, spec, looked)} LIMIT 0`)
  const types = described.columnTypes()
  const guessed = new Map(described.columnNames().map((name, index) => [name, String(types[index])]))
  if (looked === 'sample') return guessed
  // DuckDB is strict about times in the first rows only.
  const times = [...guessed].filter(([, type]) => timeTypes.includes(type))
  if (times.length === 0) return guessed
  const tests = times.flatMap(([name]) => timeTypes.map(type => areOfType(quoteName(name), type)))
  const texts = csvSource(files, spec, looked, new Map(times.map(([name]) => [name, 'VARCHAR'])))
  const [fits = []] = (await duckDb.runAndReadAll(`SELECT ${tests.join(', ')} FROM ${texts}`)).getRows()
  for (const [index, [name, guess]] of times.entries()) {
    const own = fits.slice(index * timeTypes.length)
    const found = timeTypes.find((_, at) => at >= timeTypes.indexOf(guess) && own[at] === true)
    guessed.set(name, found ?? 'VARCHAR')
  }
  return guessed
}

function areOfType(column: string, type: string): string {
  const fits = `regexp_full_match(${column}, ${quoteText(String(forms[type]))}) AND TRY_CAST(${column} AS ${type}) IS NOT NULL`
  return `bool_and(${fits}) FILTER (WHERE ${column} IS NOT NULL)`
}

function csvSource(
  files: readonly StagedFile[],
  { delimiter }: CsvSpec,
  looked: Looked,
  types: ReadonlyMap<string, string> = new Map(),
): string {
  const typed = [...types].map(([name, type]) => `${quoteText(name)}: ${quoteText(type)}`)
  // Nothing of a file's form is guessed: where a guess is wrong, DuckDB passes over lines without a word.
  const options = [
    `delim = ${quoteText(delimiter)}`,
    `quote = '"'`,
    `escape = '"'`,
    'header = true',
    'skip = 0',
    "comment = ''",
    'union_by_name = true',
    "dateformat = '%Y-%m-%d'",
    `auto_type_candidates = ${listOfTexts(['BOOLEAN', 'BIGINT', 'DOUBLE', 'DATE', 'TIMESTAMP', 'TIMESTAMP WITH TIME ZONE', 'VARCHAR'])}`,
    ...(looked === 'all' ? ['sample_size = -1'] : []),
    ...(typed.length > 0 ? [`types = {${typed.join(', ')}}`] : []),
  ]
  return `read_csv(${listOfTexts(files.map(({ path }) => path))}, ${options.join(', ')})`
}
