import type { StateMachine } from '@stepwright/asl'
import { describe, expect, it } from 'vitest'
import { allNodes, toGraph } from './graph.ts'

const lambda = 'arn:aws:lambda:us-east-1:000000000000:function:Import'

describe('toGraph', () => {
  it('tells what each state does and where it leads', () => {
    const graph = toGraph({
      StartAt: 'Import',
      States: {
        Import: {
          Type: 'Task',
          Resource: lambda,
          Retry: [{ ErrorEquals: ['A'], MaxAttempts: 2 }, { ErrorEquals: ['B'] }],
          Catch: [{ ErrorEquals: ['C', 'D'], Next: 'Failed' }],
          Next: 'Which',
        },
        Which: {
          Type: 'Choice',
          Choices: [
            {
              And: [
                { Variable: '$.n', NumericGreaterThan: 5 },
                { Not: { Variable: '$.k', IsPresent: true } },
              ],
              Next: 'Done',
            },
          ],
          Default: 'Failed',
        },
        Done: { Type: 'Succeed' },
        Failed: { Type: 'Fail', Error: 'Broken' },
      },
    })
    expect(graph.nodes.map(({ name, detail, maxRetries }) => [name, detail, maxRetries])).toEqual([
      ['Start', '', 0],
      ['Import', 'Lambda Import', 5],
      ['Which', 'Choice', 0],
      ['Done', 'Succeed', 0],
      ['Failed', 'Broken', 0],
      ['End', '', 0],
    ])
    expect(graph.edges.map(({ from, to, kind, label }) => [from, to, kind, label])).toEqual([
      ['/start', '/States/Import', 'next', ''],
      ['/States/Import', '/States/Which', 'next', ''],
      ['/States/Import', '/States/Failed', 'catch', 'C, D'],
      ['/States/Which', '/States/Done', 'choice', '$.n > 5 and not $.k is present'],
      ['/States/Which', '/States/Failed', 'default', 'default'],
      ['/States/Done', '/end', 'next', ''],
    ])
  })

  it('goes into Maps and Parallels, and reads JSONata', () => {
    const graph = toGraph({
      QueryLanguage: 'JSONata',
      StartAt: 'Each',
      States: {
        Each: {
          Type: 'Map',
          Items: '{% $states.input.items %}',
          ItemProcessor: {
            ProcessorConfig: { Mode: 'DISTRIBUTED', ExecutionType: 'STANDARD' },
            StartAt: 'Both',
            States: {
              Both: {
                Type: 'Parallel',
                End: true,
                Branches: [
                  { StartAt: 'Left', States: { Left: { Type: 'Pass', End: true } } },
                  { StartAt: 'Right', States: { Right: { Type: 'Wait', Seconds: 5, End: true } } },
                ],
              },
            },
          },
          Next: 'Which',
        },
        Which: { Type: 'Choice', Choices: [{ Condition: '{% $x = 1 %}', Next: 'Each' }], Default: 'Out' },
        Out: { Type: 'Pass', End: true },
      },
    })
    expect(allNodes(graph).map(({ id, detail }) => [id, detail])).toEqual([
      ['/start', ''],
      ['/States/Each', 'Distributed Map'],
      ['/States/Each/ItemProcessor/States/Both', 'Parallel'],
      ['/States/Each/ItemProcessor/States/Both/Branches/0/States/Left', 'Pass'],
      ['/States/Each/ItemProcessor/States/Both/Branches/1/States/Right', 'Wait 5 s'],
      ['/States/Which', 'Choice'],
      ['/States/Out', 'Pass'],
      ['/end', ''],
    ])
    expect(graph.edges.find(({ kind }) => kind === 'choice')?.label).toBe('$x = 1')
  })

  it('shows what a draft lacks, whatever states are called', () => {
    const draft = { StartAt: '__proto__', States: { 'a/b~': { Type: 'Pass', Next: 'gone' } } }
    const graph = toGraph(draft as unknown as StateMachine)
    expect(graph.nodes.map(({ id, type }) => [id, type])).toEqual([
      ['/start', 'Start'],
      ['/States/__proto__', 'Missing'],
      ['/States/a~1b~0', 'Pass'],
      ['/States/gone', 'Missing'],
    ])
    expect(toGraph({} as StateMachine).nodes).toEqual([])
  })
})
