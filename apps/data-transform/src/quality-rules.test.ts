import { describe, expect, it } from 'vitest'
import { findViolations } from './quality-rules.ts'
import type { QualityRule } from './table-settings.ts'

const severity = 'critical'
const price: QualityRule = { rule: 'null_ratio', column: 'price', max: 0.1, severity }
const unique: QualityRule = { rule: 'unique', column: 'id', max: 0, severity: 'warning' }
const change: QualityRule = { rule: 'row_count_change', max: 0.5, severity }

describe('findViolations', () => {
  it('finds nothing where every figure is within its limit', () => {
    expect(
      findViolations([price, change, unique], { rowCount: 10, figures: [0.1, 0], previousRowCount: 20 }),
    ).toEqual([])
  })

  it('names the rule, the column, the figure and the limit', () => {
    expect(
      findViolations([change, price, unique], { rowCount: 31, figures: [1 / 3, 2], previousRowCount: 20 }),
    ).toEqual([
      {
        rule: 'row_count_change',
        severity,
        message: 'row_count_change: 31 rows after 20 the day before: 0.55, and at most 0.5 allowed',
      },
      {
        rule: 'null_ratio',
        column: 'price',
        severity,
        message: 'null_ratio: null ratio of column price exceeded: 0.333333, and at most 0.1 allowed',
      },
      {
        rule: 'unique',
        column: 'id',
        severity: 'warning',
        message: 'unique: rows of column id exceeded: 2, and at most 0 allowed',
      },
    ])
  })

  it('says so where the column is missing, unless there are no rows at all', () => {
    const [found] = findViolations([price], { rowCount: 1, figures: [null] })
    expect(found?.message).toBe('null_ratio: there is no column price')
    const empty = findViolations([price], { rowCount: 0, figures: [null] })
    expect(empty.map(({ rule }) => rule)).toEqual(['row_count'])
  })

  it('reports a day without rows, unless a rule allows it', () => {
    const none = { rowCount: 0, figures: [] }
    expect(findViolations([], none)).toEqual([
      { rule: 'row_count', severity: 'warning', message: 'row_count: 0 rows, and at least 1 needed' },
    ])
    expect(findViolations([{ rule: 'row_count', minimum: 0, severity }], none)).toEqual([])
    expect(
      findViolations([{ rule: 'row_count', minimum: 5, severity }], { rowCount: 4, figures: [] }),
    ).toEqual([{ rule: 'row_count', severity, message: 'row_count: 4 rows, and at least 5 needed' }])
  })

  it('compares with nothing where there is no day before', () => {
    expect(findViolations([change], { rowCount: 5, figures: [] })).toEqual([])
    expect(findViolations([change], { rowCount: 5, figures: [], previousRowCount: 0 })).toEqual([])
  })
})
