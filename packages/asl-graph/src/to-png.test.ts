import { expect, it } from 'vitest'
import { pngScale } from './to-png.ts'

it.each([
  [800, 600, 2],
  [1000, 32_768, 0.5],
  [20_000, 20_000, 0.8185],
])('draws a picture of %i × %i as large as a canvas may be', (width, height, scale) => {
  expect(pngScale(width, height)).toBeCloseTo(scale, 4)
})
