import type { State, StateMachine } from '@stepwright/asl'
import { describe, expect, it } from 'vitest'
import { drawSvg } from './draw.ts'
import { drawMermaid } from './mermaid.ts'

const hostile = '<script>alert("1")</script>&\u0000'
const machine: StateMachine = {
  StartAt: hostile,
  States: { [hostile]: { Type: 'Pass', Next: 'Last' }, Last: { Type: 'Fail', Error: hostile } },
}
const history = [
  { id: 1, previousEventId: 0, timestamp: 0, type: 'ExecutionStarted' },
  {
    id: 2,
    previousEventId: 0,
    timestamp: 0,
    type: 'PassStateEntered',
    stateEnteredEventDetails: { name: hostile },
  },
]

describe('drawSvg', () => {
  it('leaves text what it is, whatever a definition says', () => {
    const picture = drawSvg(machine, { title: hostile })
    expect(picture).not.toContain('<script')
    expect(picture).not.toContain('\u0000')
    expect(picture).toContain('&lt;script&gt;')
  })

  it('lays an execution over the machine', () => {
    expect(drawSvg(machine)).not.toContain('class="asl-graph with-execution"')
    const picture = drawSvg(machine, { history })
    expect(picture).toContain('class="state pass is-running"')
    expect(picture).toContain('class="state fail is-unreached"')
  })

  it('says its colours on each shape, for programs that know no style sheet', () => {
    const definition = {
      StartAt: 'Each',
      States: {
        Each: {
          Type: 'Map',
          ItemProcessor: { StartAt: 'One', States: { One: { Type: 'Pass', End: true } } },
          Retry: [{ ErrorEquals: ['States.ALL'] }],
          Catch: [{ ErrorEquals: ['States.ALL'], Next: 'Failed' }],
          End: true,
        },
        Failed: { Type: 'Fail' },
      },
    } as const
    const entered = { id: 1, type: 'MapStateEntered', stateEnteredEventDetails: { name: 'Each' } }
    for (const picture of [drawSvg(definition), drawSvg(definition, { history: [entered] })]) {
      expect(picture).not.toContain('var(')
      const shapes = [...picture.matchAll(/<(?:rect|path|circle|text) [^>]*>/g)].map(([shape]) => shape)
      expect(shapes.length).toBeGreaterThan(15)
      for (const shape of shapes) expect(shape).toMatch(/ fill="(?:#[0-9a-f]+|none)"/)
    }
    const boxOf = (history: readonly object[]) =>
      /class="box"[^>]* fill="(#\w+)" stroke="(#\w+)"/.exec(drawSvg(machine, { history } as never))?.slice(1)
    expect(boxOf([])).toEqual(['#fff', '#d1d9e0'])
    expect(boxOf(history)).toEqual(['#e3f1ff', '#0969da'])
  })

  it('shortens labels in the middle, so that two branches can be told apart', () => {
    const branch = (kind: string) => ({
      Variable: '$.order.customer.contract.category',
      StringEquals: kind,
      Next: 'Last',
    })
    const definition = {
      StartAt: 'Which',
      States: {
        Which: { Type: 'Choice', Choices: [branch('gold'), branch('silver')], Default: 'Last' },
        Last: { Type: 'Succeed' },
      },
    } as StateMachine
    const labels = [...drawSvg(definition).matchAll(/class="label"[^>]*>([^<]*)</g)].map(match => match[1])
    expect(labels).toEqual(expect.arrayContaining([expect.stringMatching(/^\$\.order.*….*gold&quot;$/)]))
    expect(labels).toEqual(expect.arrayContaining([expect.stringMatching(/^\$\.order.*….*silver&quot;$/)]))
  })

  it('draws lines that join once, but whole where the execution went', () => {
    const states = Array.from({ length: 300 }, (_, index): [string, State] => [
      `S${index}`,
      {
        Type: 'Task',
        Resource: 'arn:aws:lambda:us-east-1:000000000000:function:f',
        Catch: [{ ErrorEquals: ['States.ALL'], Next: 'Failed' }],
        ...(index < 299 ? { Next: `S${index + 1}` } : { End: true }),
      },
    ])
    const definition = { StartAt: 'S0', States: { ...Object.fromEntries(states), Failed: { Type: 'Fail' } } }
    const events = [
      { id: 1, previousEventId: 0, type: 'TaskStateEntered', stateEnteredEventDetails: { name: 'S0' } },
      { id: 2, previousEventId: 1, type: 'LambdaFunctionScheduled' },
      { id: 3, previousEventId: 2, type: 'LambdaFunctionFailed' },
      { id: 4, previousEventId: 3, type: 'TaskStateExited', stateExitedEventDetails: { name: 'S0' } },
      { id: 5, previousEventId: 4, type: 'FailStateEntered', stateEnteredEventDetails: { name: 'Failed' } },
    ]
    const heightOf = (line = ''): number => {
      const ys = [...line.matchAll(/[\d.]+ ([\d.]+)/g)].map(match => Number(match[1]))
      return Math.max(...ys) - Math.min(...ys)
    }
    const picture = drawSvg(definition as StateMachine, { history: events })
    const lines = [...picture.matchAll(/class="edge catch( taken)?">.*?class="line" d="([^"]+)"/g)]
    expect(lines).toHaveLength(300)
    const whole = lines.filter(([, taken]) => taken !== undefined)
    expect(whole).toHaveLength(1)
    expect(heightOf(whole[0]?.[2])).toBeGreaterThan(20_000)
    for (const [, taken, line] of lines) if (taken === undefined) expect(heightOf(line)).toBeLessThan(200)
  })
})

describe('drawMermaid', () => {
  const reached = [{ id: 1, type: 'PassStateEntered', stateEnteredEventDetails: { name: 'A' } }]

  it('draws a flowchart with the states that an execution reached', () => {
    expect(
      drawMermaid({ StartAt: 'A', States: { A: { Type: 'Pass', End: true } } }, reached),
    ).toBe(`flowchart TD
  s0(["Start"])
  s1["A"]
  s2(["End"])
  s0 --> s1
  s1 --> s2
  classDef succeeded fill:#e6f6ea,stroke:#1a7f37,color:#1f2328
  classDef failed fill:#ffebe9,stroke:#cf222e,color:#1f2328
  classDef caught fill:#fff5d6,stroke:#8a5a00,color:#1f2328
  classDef running fill:#e3f1ff,stroke:#0969da,color:#1f2328
  classDef cancelled fill:#f6f8fa,stroke:#6e7781,color:#1f2328
  class s1 running
`)
  })

  it('leaves text what it is', () => {
    expect(drawMermaid(machine)).not.toMatch(/<|"alert|\("1/)
    const name = '`_a_` & <b>\r\n#1'
    expect(drawMermaid({ StartAt: name, States: { [name]: { Type: 'Pass', End: true } } })).toContain(
      's1["#96;_a_#96; #38; #60;b#62; #35;1"]',
    )
  })
})
