import type { Json, States } from '@stepwright/asl'
import { describe, expect, it } from 'vitest'
import { createEngine } from '../engine.ts'
import { createVirtualClock } from '../time/clock.ts'

async function outputOf(expression: string, input: Json = {}) {
  const States = { P: { Type: 'Pass', Output: `{% ${expression} %}`, End: true } } as States
  const engine = createEngine({
    definition: { QueryLanguage: 'JSONata', StartAt: 'P', States },
    clock: createVirtualClock(),
  })
  const result = await engine.run(input).result
  return result.status === 'SUCCEEDED' ? result.output : result
}

function failed(cause: RegExp): object {
  return { error: 'States.QueryEvaluationError', cause: expect.stringMatching(cause) }
}

/** The processor time that it takes, which nobody else gets meanwhile. */
async function cpuMs(work: () => Promise<unknown>): Promise<number> {
  const before = process.threadCpuUsage()
  await work()
  return process.threadCpuUsage(before).user / 1000
}

function recursion(depth: number): string {
  return `($f := function($n){ $n = 0 ? 0 : 1 + $f($n - 1) }; $f(${depth}))`
}

function doubled(times: number): string {
  return `($f := function($t, $n){ $n = 0 ? $t : $f($t & $t, $n - 1) }; $length($f("x", ${times})))`
}

/** An object that stands in itself twice, again and again. */
function nested(times: number): string {
  return `($f := function($x, $n){ $n = 0 ? $x : $f({ "a": $x, "b": $x }, $n - 1) }; $f({}, ${times}))`
}

describe('what an expression may make', () => {
  it.each([
    ['$count([1..873782])', 873_782],
    ['$count($range(1, 873782, 1))', 873_782],
    [doubled(22), 2 ** 22],
    ['$length($pad("x", 4194304))', 4_194_304],
    [recursion(90), 90],
    ['$base64decode("aGVsbG8=")', 'hello'],
    ['$base64decode("aGVsbG8")', 'hello'],
    ['$base64decode("")', ''],
  ])('%s', async (expression, expected) => expect(await outputOf(expression)).toBe(expected))

  it.each([
    ['$count([1..900000])', /D2015/],
    ['$count($range(1, 900000, 1))', /at most 873813 elements/],
    [doubled(23), /at most 4194304 characters/],
    ['$length($pad("x", 1000000000))', /at most 4194304 characters/],
    ['$length($join($map([1..5000], function($n){ $pad("x", 1000) })))', /at most/],
    [recursion(120), /D1011/],
    ['$base64decode("no base64!")', /not base64/],
    ['$base64decode("a")', /not base64/],
  ])('fails for more: %s', async (expression, cause) => {
    expect(await outputOf(expression)).toMatchObject(failed(cause))
  })

  it.each([
    nested(40),
    `$string(${nested(40)})`,
    `($a := ${nested(40)}; $b := ${nested(40)}; $a = $b)`,
    `$count($distinct(${nested(40)}))`,
  ])('fails soon for objects that hold themselves again and again: %s', async expression => {
    expect(
      await cpuMs(async () => expect(await outputOf(expression)).toMatchObject(failed(/at most/))),
    ).toBeLessThan(2000)
  })

  it('finds the different values of a long list in linear time', async () => {
    const list = Array.from({ length: 40_000 }, (_, index) => index)
    const work = async () => expect(await outputOf('$count($distinct($states.input))', list)).toBe(40_000)
    expect(await cpuMs(work)).toBeLessThan(2000)
    expect(
      await outputOf(
        '$distinct($states.input.x)',
        Array.from({ length: 200 }, (_, i) => ({ x: i % 2 })),
      ),
    ).toEqual([0, 1])
    expect(
      await outputOf(
        '$distinct($states.input.x)',
        Array.from({ length: 200 }, () => ({ x: 1 })),
      ),
    ).toBe(1)
  })
})

describe('regular expressions', () => {
  it.each([
    ['$match($states.input, /^(a+)+$/)', `${'a'.repeat(40)}!`],
    ['$contains($states.input, /(x+x+)+y/)', 'x'.repeat(60)],
    ['$split($states.input, /(\\w+\\s?)*;/)', 'word '.repeat(40)],
    ['$replace($states.input, /[0-9]+x/, "")', '1'.repeat(250_000)],
    ['$replace($states.input, /(a|a)*$/, "")', `${'a'.repeat(40)}!`],
  ])('that take ever more ways fail their state: %s', async (expression, text) => {
    const work = async () => expect(await outputOf(expression, text)).toMatchObject(failed(/takes too long/))
    expect(await cpuMs(work)).toBeLessThan(2000)
  })

  it.each([
    ['$match($states.input, /(\\w+)@(\\w+)\\.com/).groups', 'mail ann@example.com', ['ann', 'example']],
    ['$replace($states.input, /\\s+/, " ")', 'a   b  c', 'a b c'],
    ['$replace($states.input, /(\\d+)-(\\d+)/, "$2-$1")', '1-2 3-4', '2-1 4-3'],
    ['$split($states.input, /\\s*,\\s*/)', 'a , b,c', ['a', 'b', 'c']],
    ['$count($split($states.input, /,+/))', 'x,'.repeat(100_000), 100_001],
    ['$contains($states.input, /(a)\\1/)', 'xaax', true],
    ['$contains($states.input, /^(?:[a-z]+\\.)+[a-z]+$/i)', 'a.Bc.def', true],
  ])('that end in time work: %s', async (expression, text, expected) => {
    expect(await outputOf(expression, text)).toEqual(expected)
  })
})
