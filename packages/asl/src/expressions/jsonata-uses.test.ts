import { describe, expect, it } from 'vitest'
import { checkWorkflow } from '../index.ts'

function refusals(expression: string, fields: object = {}): readonly string[] {
  return checkWorkflow({
    StartAt: 'A',
    QueryLanguage: 'JSONata',
    TimeoutSeconds: 9,
    States: { A: { Type: 'Pass', Output: `{% ${expression} %}`, End: true, ...fields } },
  })
    .filter(({ severity }) => severity === 'error')
    .map(({ message }) => message)
}

describe('JSONata that Step Functions refuses', () => {
  it.each([
    ['phone', '"phone" has nothing'],
    ['order.id', '"order" has nothing'],
    ['$', '"$" has nothing'],
    ['$$.a', '"$$" has nothing'],
    ['{ "a": b }', '"b" has nothing'],
    ['$states.input.a ?? 1', 'JSONata: '],
    ['$states.input.a ?: 1', 'JSONata: '],
    ['$eval("1")', '$eval'],
    ['$uppercas("a")', '$uppercas'],
    ['$states.result', '$states.result exists only'],
    ['$states.errorOutput.Error', '$states.errorOutput exists only'],
    ['$states.output', 'no "output"'],
    ['$sum($missing)', '"$missing" is not assigned'],
    ['$count($states.input.a[x = $missing])', '"$missing" is not assigned'],
  ])('%s', (expression, message) => {
    expect(refusals(expression)).toEqual([expect.stringContaining(message)])
  })

  it.each([
    '$states.input.items[price > 3].name',
    '$states.input.a.{"b": c}',
    '$states.input.a ? $states.input.a : 1',
    '$map($states.input.x, function($v, $i) { $v.y + $i })',
    '($x := 1; $f := function($n) { $n = 0 ? 1 : $n * $f($n - 1) }; $f($x))',
    '$states.input.x ~> $sum()',
    '$map($states.input.x, $string)',
    '$states.input.items^(price)',
    '$states.input ~> |a|{"b": c}|',
    '$exists($x) ? $x : 0',
    '$states.input.items@$i.{ "a": $i.b }',
    '$states.input.a#$p[$p < 2]',
    '$states.input{type: $sum(price)}',
    '$partition([1, 2], 1)',
    '$uuid() & $hash("a", "MD5") & $parse("1") & $range(1, 2, 1)',
    '$states.context.Execution.Name',
    '[1..3].($ * 2)',
  ])('accepts %s', expression => {
    expect(refusals(expression)).toEqual([])
  })

  it('knows where there is a result and where an error', () => {
    const task = { Type: 'Task', Resource: 'arn:aws:states:::sns:publish', Output: '{% $states.result %}' }
    expect(refusals('1', task)).toEqual([])
    expect(refusals('1', { ...task, Arguments: '{% $states.result %}' })).toHaveLength(1)
    const caught = { ErrorEquals: ['States.ALL'], Next: 'A', Output: '{% $states.errorOutput %}' }
    expect(refusals('1', { ...task, Catch: [caught] })).toEqual([])
    expect(refusals('1', { ...task, Catch: [{ ...caught, Output: '{% $states.result %}' }] })).toHaveLength(1)
  })
})
