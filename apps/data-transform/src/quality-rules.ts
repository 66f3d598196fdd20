import type { QualityRule } from './table-settings.ts'

/**
 * A figure of a rule as SQL that DuckDB and Spark (with ANSI identifiers) read alike: an aggregate over all rows. No
 * column is named in it twice by different quoting, and no value of it can end a literal.
 */
export interface Metric {
  readonly column: string
  readonly sql: string
}

/** The metric of a rule; undefined where the rule needs no rows, but their number. */
export function metricOf(rule: QualityRule): Metric | undefined {
  if (rule.rule === 'row_count_change') return undefined
  return { column: rule.column, sql: sqlOf(rule, identifier(rule.column)) }
}

function sqlOf(rule: Exclude<QualityRule, { rule: 'row_count_change' }>, column: string): string {
  switch (rule.rule) {
    case 'null_ratio':
      return `avg(CASE WHEN ${column} IS NULL THEN 1.0 ELSE 0.0 END)`
    case 'unique':
      return `count(${column}) - count(DISTINCT ${column})`
    case 'range': {
      const number = `try_cast(${column} AS double)`
      const inside = [
        `${number} IS NOT NULL`,
        ...(rule.minimum === undefined ? [] : [`${number} >= ${literal(rule.minimum)}`]),
        ...(rule.maximum === undefined ? [] : [`${number} <= ${literal(rule.maximum)}`]),
      ]
      return `sum(CASE WHEN ${column} IS NULL OR (${inside.join(' AND ')}) THEN 0 ELSE 1 END)`
    }
    case 'accepted_values': {
      const values = rule.values.map(value => literal(String(value))).join(', ')
      return `sum(CASE WHEN ${column} IS NULL OR cast(${column} AS string) IN (${values}) THEN 0 ELSE 1 END)`
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

/** The rules that do not hold. Says nothing of any row. */
export function findViolations(rules: readonly QualityRule[], findings: Findings): QualityViolation[] {
  const figures = [...findings.figures]
  return rules.flatMap(rule => {
    const message =
      rule.rule === 'row_count_change'
        ? compareRows(rule.max, findings)
        : compare(rule, figures.shift(), findings)
    if (message === undefined) return []
    const { severity } = rule
    return [{ rule: rule.rule, ...('column' in rule && { column: rule.column }), severity, message }]
  })
}

function compare(
  { rule, column, max }: Exclude<QualityRule, { rule: 'row_count_change' }>,
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
