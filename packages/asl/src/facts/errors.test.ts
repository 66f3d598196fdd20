import { describe, expect, it } from 'vitest'
import { matchesError } from './errors.ts'

describe('matchesError', () => {
  it.each([
    ['ValidationError', 'ValidationError', true],
    ['ValidationError', 'validationerror', false],
    ['States.ALL', 'ValidationError', true],
    ['States.ALL', '', true],
    ['States.ALL', 'States.Timeout', true],
    ['States.ALL', 'States.TaskFailed', true],
    ['States.ALL', 'States.Runtime', false],
    ['States.ALL', 'States.DataLimitExceeded', false],
    ['States.TaskFailed', 'ValidationError', true],
    ['States.TaskFailed', 'States.Permissions', true],
    ['States.TaskFailed', 'States.Timeout', false],
    ['States.TaskFailed', 'States.HeartbeatTimeout', false],
    ['States.TaskFailed', 'States.ALL', false],
    ['States.TaskFailed', 'States.DataLimitExceeded', false],
    ['States.DataLimitExceeded', 'States.DataLimitExceeded', true],
    ['States.Runtime', 'States.Runtime', false],
  ])('%s, %s: %s', (pattern, name, expected) => expect(matchesError(pattern, name)).toBe(expected))

  it('lets States.ALL take the limit that a task’s own result passes, as it was recorded', () => {
    expect(matchesError('States.ALL', 'States.DataLimitExceeded', 'task')).toBe(true)
  })
})
