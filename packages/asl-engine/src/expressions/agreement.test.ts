import { checkWorkflow, type StateMachine } from '@stepwright/asl'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createEngine } from '../engine.ts'
import { createVirtualClock } from '../time/clock.ts'

/** Pieces of paths and calls, whole ones and broken ones, so that about half of what they make can be read. */
const pieces = [
  '.a',
  '.b c',
  '..',
  '.',
  '[0]',
  '[-1]',
  '[*]',
  '.*',
  '[1:2]',
  '[:]',
  '[0,1]',
  "['a']",
  "['a','b']",
  "['a",
  "['\\\\']",
  '[?(@.a)]',
  '[?(@.a == 1)]',
  '[?(@.a == b)]',
  '[?@.a]',
  '[?(@.a in [x, 2])]',
  '[?(@.a =~ /x(/)]',
  '[?(@.a =~ /x/i)]',
  '[?(!(@.a) && $.b > 2 || @.a)]',
  '[$.a]',
  '.length()',
  '.min(1, "2")',
  '.max(',
  ' ',
  '$',
  '@',
  '\\',
  '\n',
  '🙂',
]
const paths = fc
  .tuple(
    fc.constantFrom('$', '$$', '$v', '$$.Execution', ''),
    fc.array(fc.constantFrom(...pieces), { maxLength: 4 }),
  )
  .map(([root, steps]) => root + steps.join(''))

const calls = fc.letrec<{ call: string; argument: string }>(tie => ({
  argument: fc.oneof(
    paths,
    tie('call'),
    fc.constantFrom("'a'", "'{}'", "'\\{\\}'", "'\\x'", '1', '-1.5e3', 'true', 'null', 'nul', "'", '1x', ''),
  ),
  call: fc
    .tuple(
      fc.constantFrom(
        'States.Format',
        'States.Array',
        'States.MathAdd',
        'States.UUID',
        'States.Nope',
        'Format',
      ),
      fc.array(tie('argument'), { maxLength: 3 }),
      fc.constantFrom(')', ')', ')', '', ') '),
    )
    .map(([name, args, end]) => `${name}(${args.join(', ')}${end}`),
})).call

function machineWith(text: string): StateMachine {
  return { StartAt: 'A', States: { A: { Type: 'Pass', Parameters: { 'x.$': text }, End: true } } }
}

function canParse(text: string): boolean {
  try {
    createEngine({ definition: machineWith(text), clock: createVirtualClock() })
    return true
  } catch (error) {
    expect((error as Error).name).toMatch(/^Invalid(Path|Intrinsic)Error$/)
    return false
  }
}

describe('checker and engine', () => {
  it('read the same paths and functions', () => {
    let read = 0
    fc.assert(
      fc.property(fc.oneof(paths, calls), text => {
        const refused = checkWorkflow(machineWith(text)).some(({ rule }) => rule === 'valid/path')
        read += refused ? 0 : 1
        expect(canParse(text)).toBe(!refused)
      }),
      { numRuns: 3000 },
    )
    expect(read).toBeGreaterThan(300)
  })

  it('never meet an error that has no name of its own while a path is followed', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(paths, calls), fc.jsonValue(), async (text, input) => {
        fc.pre(canParse(text))
        const engine = createEngine({ definition: machineWith(text), clock: createVirtualClock() })
        const result = await engine.run(input).result
        if (result.status !== 'SUCCEEDED') expect(result.error).toMatch(/^States\./)
      }),
      { numRuns: 300 },
    )
  })
})
