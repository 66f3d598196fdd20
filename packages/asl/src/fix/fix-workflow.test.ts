import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkWorkflow, fixWorkflow, parseDefinition } from '../index.ts'

const tasks = {
  Write: {
    name: 'write',
    errors: [
      { name: 'ValidationError', kind: 'business' },
      {
        name: 'TemporaryError',
        kind: 'retryable',
        retry: { intervalSeconds: 2, maxAttempts: 3, backoffRate: 2 },
      },
    ],
  },
} as const

const input = {
  type: 'object',
  properties: { id: { type: 'string' } },
  required: ['id'],
  additionalProperties: false,
}

const text = `{
    "StartAt": "Write",   "TimeoutSeconds": 900,
    "States": {
        "Write": {
            "Type": "Task", "Resource": "arn:aws:lambda:eu-west-1:1:function:write",
            "Retry": [
                { "ErrorEquals": ["Lambda.ServiceException"],   "MaxAttempts": 9 },
                { "ErrorEquals": ["States.TaskFailed"], "MaxAttempts": 1 }
            ],
            "Catch": [{ "ErrorEquals": ["States.All"], "Next": "Failed" }],
            "ResultPath": null,
            "End": true
        },
        "Failed": { "Type": "Fail", "ErrorPath": "$.id" }
    }
}
`

describe('fixWorkflow', () => {
  it('rewrites Retry and Catch and leaves every other character', () => {
    expect(fixWorkflow(text, { tasks, input })).toBe(`{
    "StartAt": "Write",   "TimeoutSeconds": 900,
    "States": {
        "Write": {
            "Type": "Task", "Resource": "arn:aws:lambda:eu-west-1:1:function:write",
            "Retry": [
                {
                    "ErrorEquals": ["ValidationError"],
                    "MaxAttempts": 0
                },
                {
                    "ErrorEquals": ["TemporaryError"],
                    "IntervalSeconds": 2,
                    "MaxAttempts": 3,
                    "BackoffRate": 2
                },
                { "ErrorEquals": ["Lambda.ServiceException"],   "MaxAttempts": 9 },
                {
                    "ErrorEquals": [
                        "Lambda.ClientExecutionTimeoutException",
                        "Lambda.AWSLambdaException",
                        "Lambda.SdkClientException",
                        "Lambda.TooManyRequestsException"
                    ],
                    "IntervalSeconds": 2,
                    "MaxAttempts": 6,
                    "BackoffRate": 2
                },
                { "ErrorEquals": ["States.TaskFailed"], "MaxAttempts": 1 }
            ],
            "Catch": [{ "ErrorEquals": ["States.ALL"], "ResultPath": "$.error", "Next": "Failed" }],
            "ResultPath": null,
            "End": true
        },
        "Failed": { "Type": "Fail", "ErrorPath": "$.id" }
    }
}
`)
  })

  it('leaves nothing that it could fix', () => {
    expect(checkWorkflow(fixWorkflow(text, { tasks, input }), { tasks, input })).toEqual([])
  })

  it.each([
    ['a typing mistake', [{ ErrorEquals: ['TemporarError'], IntervalSeconds: 2 }]],
    [
      'a name that comes twice',
      [
        { ErrorEquals: ['TemporaryError'], IntervalSeconds: 2 },
        { ErrorEquals: ['TemporaryError', 'States.Timeout'] },
      ],
    ],
    ['States.ALL among others', [{ ErrorEquals: ['States.ALL', 'TemporaryError'], MaxAttempts: 2 }]],
    [
      'States.ALL in front',
      [
        { ErrorEquals: ['States.ALL'], MaxAttempts: 2 },
        { ErrorEquals: ['States.TaskFailed'], MaxAttempts: 1 },
      ],
    ],
    ['a business error', [{ ErrorEquals: ['ValidationError', 'TemporaryError'] }]],
    ['another policy', [{ ErrorEquals: ['TemporaryError'], IntervalSeconds: 9 }]],
  ])('resolves %s', (_name, Retry) => {
    const machine = JSON.parse(text)
    const given = JSON.stringify(
      { ...machine, States: { ...machine.States, Write: { ...machine.States.Write, Retry } } },
      null,
      2,
    )
    expect(checkWorkflow(given, { tasks, input }).length).toBeGreaterThan(1)
    expect(checkWorkflow(fixWorkflow(given, { tasks, input }), { tasks, input })).toEqual([])
  })

  it('adds a Retry where there is none, also on one line and with Windows line ends', () => {
    const flat =
      '{"StartAt":"Write","TimeoutSeconds":9,"States":{"Write":{"Type":"Task","Resource":"arn:aws:lambda:x:1:function:write","End":true}}}'
    expect(fixWorkflow(flat, { tasks })).toMatch(
      /"Retry": \[\{ "ErrorEquals": \["TemporaryError"\], .*\], "End":true/,
    )
    const windows = fixWorkflow(JSON.stringify(JSON.parse(flat), null, 2).replaceAll('\n', '\r\n'), { tasks })
    expect(windows).toContain('"Retry": [\r\n')
    expect(windows).not.toMatch(/[^\r]\n/)
  })

  it('changes nothing in a text that is in step, or that cannot be read', () => {
    const fixed = fixWorkflow(text, { tasks, input })
    expect(fixWorkflow(fixed, { tasks, input })).toBe(fixed)
    expect(fixWorkflow(text.slice(0, 300), { tasks })).toBe(text.slice(0, 300))
  })

  it('keeps all but Retry and Catch, whatever the white space', () => {
    const space = fc.constantFrom('', ' ', '\n', '\n\t', '\r\n  ')
    const without = (json: string): unknown =>
      JSON.parse(json, (key, value) => (key === 'Retry' || key === 'Catch' ? undefined : value))
    fc.assert(
      fc.property(fc.array(space, { minLength: 40, maxLength: 40 }), spaces => {
        let at = 0
        const spaced = JSON.stringify(JSON.parse(text)).replace(
          /[,:[\]{}](?=["{[])/g,
          char => char + (spaces[at++ % 40] ?? ''),
        )
        const fixed = fixWorkflow(spaced, { tasks, input })
        expect(without(fixed)).toEqual(without(spaced))
        expect(checkWorkflow(fixed, { tasks, input })).toEqual([])
      }),
    )
  })
})

describe('fixWorkflow of YAML', () => {
  const file = 'write.asl.yaml'
  const yaml = `# the import
StartAt: Write
TimeoutSeconds:   900 # a quarter of an hour
States:
  Write:
    Type: Task
    Resource: "arn:aws:lambda:eu-west-1:1:function:write"
    Retry:
      # Lambda's own
      - ErrorEquals: [Lambda.ServiceException]
        MaxAttempts: 9 # as the support said

      - ErrorEquals: [States.TaskFailed]
        MaxAttempts: 1
    # where failures go
    Catch:
      - ErrorEquals: ['States.All']
        Next: Failed
    ResultPath: null
    End: true
  Failed: { Type: Fail, ErrorPath: $.id }   # the end
`

  it('keeps comments and line breaks', () => {
    expect(fixWorkflow(yaml, { tasks, input, file })).toBe(`# the import
StartAt: Write
TimeoutSeconds:   900 # a quarter of an hour
States:
  Write:
    Type: Task
    Resource: "arn:aws:lambda:eu-west-1:1:function:write"
    Retry:
      - ErrorEquals:
          - ValidationError
        MaxAttempts: 0
      - ErrorEquals:
          - TemporaryError
        IntervalSeconds: 2
        MaxAttempts: 3
        BackoffRate: 2
      # Lambda's own
      - ErrorEquals: [Lambda.ServiceException]
        MaxAttempts: 9 # as the support said
      - ErrorEquals:
          - Lambda.ClientExecutionTimeoutException
          - Lambda.AWSLambdaException
          - Lambda.SdkClientException
          - Lambda.TooManyRequestsException
        IntervalSeconds: 2
        MaxAttempts: 6
        BackoffRate: 2

      - ErrorEquals: [States.TaskFailed]
        MaxAttempts: 1
    # where failures go
    Catch:
      - ErrorEquals: ['States.ALL']
        ResultPath: $.error
        Next: Failed
    ResultPath: null
    End: true
  Failed: { Type: Fail, ErrorPath: $.id }   # the end
`)
  })

  it('leaves nothing that it could fix, with any indentation and line end', () => {
    const bare = yaml.replace(/ {4}Retry:[\s\S]*?(?= {4}# where)/, '')
    const flush = yaml.replace(/ {4}Retry:[\s\S]*/, rest => rest.replace(/^ {6}/gm, '    '))
    for (const given of [yaml, bare, flush, yaml.replaceAll('\n', '\r\n')]) {
      const fixed = fixWorkflow(given, { tasks, input, file })
      expect(checkWorkflow(parseDefinition(fixed, { file }), { tasks, input })).toEqual([])
      expect(fixed).toContain('# where failures go')
      if (given.includes('\r')) expect(fixed).not.toMatch(/[^\r]\n/)
    }
  })

  it('leaves alone what an alias stands for', () => {
    const shared = yaml.replace(/Retry:[\s\S]*?(?= {4}# where)/, 'Retry: *retry\n')
    const alias = shared.replace('StartAt', 'Comment: x\nx: &retry [{ ErrorEquals: [States.ALL] }]\nStartAt')
    expect(fixWorkflow(alias, { tasks, file })).toContain('Retry: *retry')
  })
})
