import { expect, it } from 'vitest'
import { isMetrics } from './printed-line.ts'

it.each([
  ['{"_aws":{"Timestamp":1,"CloudWatchMetrics":[]},"service":"a"}', true],
  ['{"service":"a","_aws":{"Timestamp":1,"CloudWatchMetrics":[]}}', true],
  ['{"message":"no \\"_aws\\" and no \\"CloudWatchMetrics\\""}', false],
  ['"_aws" "CloudWatchMetrics"', false],
  ['plain', false],
])('knows metrics from what people read: %s', (line, expected) => {
  expect(isMetrics(line)).toBe(expected)
})
