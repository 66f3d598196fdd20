import type { QualityRule } from './table-settings.ts'

/**
 * A figure of a rule as SQL that DuckDB and Spark (with ANSI identifiers) read alike: an aggregate over all rows. No
 * column is named in it twice by different quoting, and no value of it can end a literal.
 */
export interface Metric {
  readonly column: string
  readonly sql: string
}

type ColumnRule = Extract<QualityRule, { column: string }>

/** The metric of a rule; undefined where the rule needs no rows, but their number. */
export function metricOf(rule: QualityRule): Metric | undefined {
  if (!('column' in rule)) return undefined
  return { column: rule.column, sql: sqlOf(rule, identifier(rule.column)) }
}

function sqlOf(rule: ColumnRule, column: string): string {
  switch (rule.rule) {
    case 'null_ratio':
      // Of decimals, Spark's average would be rounded.
      return `avg(CASE WHEN ${column} IS NULL THEN cast(1 AS double) ELSE cast(0 AS double) END)`
    case 'unique':
      return `count(${column}) - count(DISTINCT ${column})`
    case 'range': {
      const number = `try_cast(${column} AS double)`
      const inside = [
        `${number} IS NOT NULL`,
        // Both engines take NaN for the largest number.
        `NOT isnan(${number})`,
        ...(rule.minimum === undefined ? [] : [`${number} >= ${literal(rule.minimum)}`]),
        ...(rule.maximum === undefined ? [] : [`${number} <= ${literal(rule.maximum)}`]),
      ]
      return `sum(CASE WHEN ${column} IS NULL OR (${inside.join(' AND ')}) THEN 0 ELSE 1 END)`
    }
    case 'accepted_values': {
      const text = `cast(${column} AS string)`
      const numbers = rule.values.filter(value => typeof value === 'number')
      const texts = rule.values.filter(value => typeof value !== 'number').map(String)
      const accepted = [
        `${column} IS NULL`,
        ...(texts.length > 0 ? [`${text} IN (${texts.map(literal).join(', ')})`] : []),
        // By their value: 7, 7.0 and 7.00 are the same.
        ...(numbers.length > 0
          ? [`try_cast(${text} AS double) IN (${numbers.map(literal).join(', ')})`]
          : []),
      ]
      return `sum(CASE WHEN ${accepted.join(' OR ')} THEN 0 ELSE 1 END)`
    }
  }
}

function identifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/** Spark reads `''` and `\` in a literal otherwise than DuckDB: both characters are written by their number. */
function literal(value: string | number): string {
  if (typeof value === 'number') return `${value}`
  const pieces = value.split(/(['\\])/).filter(piece => piece !== '')
  const written = pieces.map(piece =>
    piece === "'" || piece === '\\' ? `chr(${piece.charCodeAt(0)})` : `'${piece}'`,
  )
  return written.length > 1 ? `(${written.join(' || ')})` : (written[0] ?? "''")
}

/** What was found out about a partition. */
export interface Findings {
  readonly rowCount: number
  /** One for each rule that has a metric, in their order; null where its column is missing or no row has a value. */
  readonly figures: readonly (number | null)[]
  /** Rows of the day before; undefined where that partition is not there. */
  readonly previousRowCount?: number | undefined
}

export interface QualityViolation {
  readonly rule: QualityRule['rule']
  readonly column?: string | undefined
  readonly severity: 'critical' | 'warning'
  /** The rule, the column, the figure and its limit, in a sentence. */
  readonly message: string
}

const noRows: QualityRule = { rule: 'row_count', minimum: 1, severity: 'warning' }

/** The rules that do not hold; a day without rows is a warning, unless a rule says otherwise. Says nothing of any row. */
export function findViolations(rules: readonly QualityRule[], findings: Findings): QualityViolation[] {
  const figures = [...findings.figures]
  const all = rules.some(({ rule }) => rule === 'row_count') ? rules : [...rules, noRows]
  return all.flatMap(rule => {
    const message =
      'column' in rule ? compare(rule, figures.shift(), findings) : compareNumber(rule, findings)
    if (message === undefined) return []
    const { severity } = rule
    return [{ rule: rule.rule, ...('column' in rule && { column: rule.column }), severity, message }]
  })
}

function compareNumber(rule: Exclude<QualityRule, ColumnRule>, findings: Findings): string | undefined {
  if (rule.rule === 'row_count_change') return compareRows(rule.max, findings)
  if (findings.rowCount >= rule.minimum) return undefined
  return `row_count: ${findings.rowCount} rows, and at least ${rule.minimum} needed`
}

function compare(
  { rule, column, max }: ColumnRule,
  figure: number | null | undefined,
  { rowCount }: Findings,
): string | undefined {
  if (rowCount === 0) return undefined
  if (figure === null || figure === undefined) return `${rule}: there is no column ${column}`
  if (figure <= max) return undefined
  const subject = rule === 'null_ratio' ? `null ratio of column ${column}` : `rows of column ${column}`
  return `${rule}: ${subject} exceeded: ${rounded(figure)}, and at most ${max} allowed`
}

function compareRows(max: number, { rowCount, previousRowCount }: Findings): string | undefined {
  if (previousRowCount === undefined || previousRowCount === 0) return undefined
  const change = Math.abs(rowCount - previousRowCount) / previousRowCount
  if (change <= max) return undefined
  return `row_count_change: ${rowCount} rows after ${previousRowCount} the day before: ${rounded(change)}, and at most ${max} allowed`
}

function rounded(figure: number): number {
  return Number(figure.toPrecision(6))
}
