import { describe, expect, it } from 'vitest'
import { apps } from '../src/apps.ts'
import { deployedLines, expectedLines } from './policy-lines.ts'

describe('the policies that are deployed', () => {
  it.each(apps)('are those of $name that were written by hand, with nothing missing or needless', app => {
    expect(deployedLines(app)).toEqual(expectedLines(app))
  })
})
