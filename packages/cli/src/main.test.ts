import { execFile } from 'node:child_process'
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { main } from './index.ts'
import { runMain } from './test/run-main.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stepwright check '))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function write(file: string, content: unknown): void {
  mkdirSync(dirname(join(folder, file)), { recursive: true })
  writeFileSync(
    join(folder, file),
    typeof content === 'string' ? content : `${JSON.stringify(content, null, 2)}\n`,
  )
}

function run(...args: string[]) {
  return runMain(folder, args)
}

const lambda = 'arn:aws:lambda:eu-west-1:123456789012:function:validate'
function machine(retried: readonly string[]) {
  return {
    StartAt: 'Validate',
    TimeoutSeconds: 900,
    States: {
      Validate: {
        Type: 'Task',
        Resource: lambda,
        Retry: [{ ErrorEquals: retried, MaxAttempts: 2 }],
        Catch: [{ ErrorEquals: ['States.ALL'], ResultPath: '$.error', Next: 'Failed' }],
        End: true,
      },
      Failed: { Type: 'Fail' },
    },
  }
}

const config = `
import type { Tasks } from 'nowhere'
const tasks = { Validate: { name: 'validate', errors: [{ name: 'ValidationError', kind: 'business' as const }] } }
export const config = { workflows: [{ definition: '*.asl.json', tasks }] }
`

describe('stepwright check', () => {
  it('shows the source with a caret, and says what to do', async () => {
    write('stepwright.config.ts', config)
    write('import.asl.json', machine(['States.TaskFailed']))
    const { code, out } = await run('check')
    expect(code).toBe(1)
    expect(
      out,
    ).toBe(`error "States.TaskFailed" also retries ValidationError, a business error that no retry can cure.
  import.asl.json:10:26 /States/Validate/Retry/0/ErrorEquals  kinds/business-retried
   9 │         {
  10 │           "ErrorEquals": [
     │                          ^
  11 │             "States.TaskFailed"
  → Put { "ErrorEquals": ["ValidationError"], "MaxAttempts": 0 } before it, or retry named errors only.

1 error in 1 state machine. 1 can be fixed with --fix. "stepwright check --explain RULE" says more about a rule.
`)
  })

  it('puts carets under wide letters', async () => {
    write(
      'wide.asl.json',
      '{"StartAt": "検証", "TimeoutSeconds": 9, "States": {"検証": {"Type": "Succeed", "コメント": 1}}}',
    )
    const lines = (await run('check')).out.split('\n')
    const excerpt = lines.findIndex(line => line.includes('│ {'))
    const caret = lines[excerpt + 1] ?? ''
    expect(caret.trimEnd().length - caret.indexOf('^')).toBe(10)
    expect(caret.indexOf('^')).toBe((lines[excerpt] ?? '').indexOf('"コメント"') + 4)
  })

  it('exits with 0 when nothing is found', async () => {
    write('stepwright.config.ts', config)
    write(
      'import.asl.json',
      machine([
        'Lambda.ClientExecutionTimeoutException',
        'Lambda.ServiceException',
        'Lambda.AWSLambdaException',
        'Lambda.SdkClientException',
        'Lambda.TooManyRequestsException',
      ]),
    )
    expect(await run('check')).toEqual({
      code: 0,
      out: '1 state machine checked, nothing found.\n',
      error: '',
    })
  })

  it('fixes Retry and Catch in the file', async () => {
    write('stepwright.config.ts', config)
    write('import.asl.json', machine(['States.TaskFailed']))
    const { code, out } = await run('check', '--fix')
    expect({ code, out }).toEqual({
      code: 0,
      out: 'fixed import.asl.json\n\n1 state machine checked, nothing found.\n',
    })
    const fixed = JSON.parse(readFileSync(join(folder, 'import.asl.json'), 'utf8'))
    expect(fixed.States.Validate.Retry[0]).toEqual({ ErrorEquals: ['ValidationError'], MaxAttempts: 0 })
    expect(fixed.States.Validate.Catch).toEqual(machine([]).States.Validate.Catch)
  })

  it('says where a file is not UTF-8, and leaves it as it is', async () => {
    write('stepwright.config.ts', config)
    const text = JSON.stringify(machine(['States.TaskFailed']), null, 2).replace(
      '{\n',
      '{\n  "Comment": "@",\n',
    )
    // 処理 in Shift_JIS, as an editor in Japan may save it
    const [before = '', after = ''] = text.split('@')
    const bytes = Buffer.concat([
      Buffer.from(before),
      Buffer.from([0x8f, 0x88, 0x97, 0x9d]),
      Buffer.from(after),
    ])
    writeFileSync(join(folder, 'import.asl.json'), bytes)
    const { code, out } = await run('check', '--fix')
    expect(code).toBe(1)
    expect(out).toContain('import.asl.json:2:15')
    expect(out).toContain('The file is not UTF-8.')
    expect(readFileSync(join(folder, 'import.asl.json'))).toEqual(bytes)
  })

  it('fixes the file that a link leads to, and keeps its mode', async () => {
    write('stepwright.config.ts', config)
    write('real/import.json', machine(['States.TaskFailed']))
    chmodSync(join(folder, 'real/import.json'), 0o640)
    symlinkSync('real/import.json', join(folder, 'import.asl.json'))
    await run('check', '--fix')
    expect(readFileSync(join(folder, 'real/import.json'), 'utf8')).toContain('ValidationError')
    expect(lstatSync(join(folder, 'import.asl.json')).isSymbolicLink()).toBe(true)
    expect(statSync(join(folder, 'real/import.json')).mode & 0o777).toBe(0o640)
    expect(readdirSync(join(folder, 'real'))).toEqual(['import.json'])
  })

  it('checks what a definition alone can tell, without a config', async () => {
    write(
      'deep/typo.asl.yaml',
      'StartAt: Rest\nTimeoutSeconds: 60\nStates:\n  Rest:\n    Type: Wait\n    Seconds: 1\n    Next: Don\n  Done:\n    Type: Succeed\n',
    )
    write('node_modules/other/x.asl.json', '{')
    const { code, out } = await run('check')
    expect(code).toBe(1)
    expect(out).toContain('deep/typo.asl.yaml:7:11')
    expect(out).toContain('Did you mean "Done"?')
    expect(out).toContain('in 1 state machine. "stepwright')
  })

  it('fixes YAML, and does not promise to fix what it cannot write', async () => {
    const text = () => readFileSync(join(folder, 'import.asl.yaml'), 'utf8')
    const task = `Type: Task\n    Resource: ${lambda} # by hand\n    End: true`
    write('import.asl.yaml', `StartAt: Validate\nTimeoutSeconds: 9\nStates:\n  Validate:\n    ${task}\n`)
    expect((await run('check')).out).toContain('can be fixed with --fix')
    expect((await run('check', '--fix')).out).not.toContain('--fix')
    expect(text()).toContain('# by hand\n    Retry:\n      - ErrorEquals:\n')
    const flow = `StartAt: Validate\nTimeoutSeconds: 9\nStates: { Validate: { Type: Task, Resource: "${lambda}", End: true } }\n`
    write('import.asl.yaml', flow)
    expect((await run('check')).out).not.toContain('--fix')
    await run('check', '--fix')
    expect(text()).toBe(flow)
  })

  it('checks templates, and the files that they name', async () => {
    write(
      'template.yaml',
      'Resources:\n  Import:\n    Type: AWS::Serverless::StateMachine\n    Properties:\n      DefinitionUri: import.asl.json\n      Type: EXPRESS\n',
    )
    write('import.asl.json', {
      StartAt: 'Ask',
      States: {
        Ask: {
          Type: 'Task',
          Resource: 'arn:aws:states:::sqs:sendMessage.waitForTaskToken',
          Parameters: { QueueUrl: 'q', MessageBody: { 'token.$': '$$.Task.Token' } },
          TimeoutSeconds: 5,
          End: true,
        },
      },
    })
    const { code, out } = await run('check', 'template.yaml', '--format', 'json')
    expect(code).toBe(1)
    expect(JSON.parse(out).findings).toMatchObject([
      { rule: 'valid/express', file: 'import.asl.json', pointer: '/States/Ask/Resource' },
    ])
  })

  it('checks an app as a whole too', async () => {
    const app = join(import.meta.dirname, '../test/doubles/doubles.config.ts')
    const { code, out } = await run('check', '--config', app)
    expect(code).toBe(1)
    expect(out).toContain('Nothing starts the workflow doubles.')
    expect(out).toContain('The task "any" does not declare "TemporaryError"')
    expect(out).toContain('in 2 state machines')
    expect(out).not.toContain("│ import { defineApp } from '@stepwright/app'")
  })

  it('finds wiring that neither types nor defineApp can reject', async () => {
    const app = join(import.meta.dirname, '../test/narrow/narrow.config.ts')
    const { code, out } = await run('check', '--config', app, '--format', 'json')
    expect(code).toBe(1)
    const found = JSON.parse(out).findings.filter(({ rule }: { rule: string }) => rule.startsWith('app/'))
    expect(found).toMatchObject([
      { rule: 'app/function-kind', pointer: '/States/Show/Resource' },
      { rule: 'app/missing-permission', pointer: '/functions/Save' },
    ])
  })

  it('checks a file once that a template names too, and takes what the config accepts in a template', async () => {
    const template =
      'Resources:\n  Import:\n    Type: AWS::Serverless::StateMachine\n    Properties:\n      DefinitionUri: import.asl.json\n'
    write('template.yaml', template)
    write('import.asl.json', machine(['States.Al']))
    const check = async (...args: string[]) =>
      JSON.parse((await run('check', '--format', 'json', ...args)).out)
    expect(await check('template.yaml', 'import.asl.json')).toMatchObject({ machines: 1 })
    const accept = [
      { rule: 'names/unknown-reserved', pointer: '/States/Validate/Retry/0/ErrorEquals/0', reason: 'a test' },
    ]
    write(
      'stepwright.config.mjs',
      `export default { workflows: [{ definition: 'template.yaml', accept: ${JSON.stringify(accept)} }] }`,
    )
    const { findings } = await check('template.yaml')
    expect(findings.map(({ rule }: { rule: string }) => rule)).toEqual(['routes/lambda-transient'])
  })

  it('takes a template in cdk.out where the config names it', async () => {
    const definition = JSON.stringify(machine(['States.Al']))
    write('cdk.out/App.template.json', {
      Resources: {
        M: { Type: 'AWS::StepFunctions::StateMachine', Properties: { DefinitionString: definition } },
      },
    })
    write(
      'stepwright.config.mjs',
      "export default { workflows: [{ definition: 'cdk.out/*.template.json' }] }",
    )
    const { code, out } = await run('check', '--format', 'json')
    expect(code).toBe(1)
    expect(JSON.parse(out).findings[0]).toMatchObject({ file: 'cdk.out/App.template.json', line: 6 })
  })

  it('tells GitHub paths from the root of the repository', async () => {
    write('.git/HEAD', 'ref: refs/heads/main')
    write('apps/a/a.asl.json', machine(['States.Al']))
    const parts: string[] = []
    await main(['check', '--format', 'github'], {
      cwd: join(folder, 'apps/a'),
      colour: false,
      out: text => parts.push(text),
      error: () => {},
      interrupted: async () => {},
    })
    expect(parts.join('')).toContain('::error file=apps/a/a.asl.json,')
  })

  it('fails on errors, and on warnings only when told to', async () => {
    write('a.asl.json', machine(['Lambda.ServiceException']))
    expect(await run('check')).toMatchObject({ code: 0, out: expect.stringContaining('1 warning') })
    expect((await run('check', '--fail-on', 'warning')).code).toBe(1)
  })

  it('takes the config nearest to a file, and several below', async () => {
    write('apps/a/stepwright.config.ts', config)
    write('apps/a/import.asl.json', machine(['States.TaskFailed']))
    write('apps/b/stepwright.config.mjs', "export default { workflows: [{ definition: 'b.asl.json' }] }")
    write('apps/b/b.asl.json', machine(['States.TaskFailed']))
    const files = async (...args: string[]) =>
      JSON.parse((await run('check', '--format', 'json', ...args)).out)
    expect(await files()).toMatchObject({ machines: 2, findings: [{ file: 'apps/a/import.asl.json' }] })
    expect(await files('apps/a')).toMatchObject({
      machines: 1,
      findings: [{ rule: 'kinds/business-retried' }],
    })
  })

  it('writes SARIF and GitHub commands', async () => {
    write('import.asl.json', machine(['States.Al']))
    const sarif = JSON.parse((await run('check', '--format', 'sarif')).out)
    expect(sarif.runs[0].results[0]).toMatchObject({
      ruleId: 'routes/lambda-transient',
      level: 'warning',
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: 'import.asl.json' },
            region: { startLine: 8, startColumn: 7 },
          },
        },
      ],
    })
    expect(sarif.runs[0].tool.driver.rules.map((rule: { id: string }) => rule.id)).toEqual([
      'names/unknown-reserved',
      'routes/lambda-transient',
    ])
    expect((await run('check', '--format', 'github')).out).toContain(
      '::error file=import.asl.json,line=11,col=13,endLine=11,endColumn=24,title=names/unknown-reserved::"States.Al" is not one of',
    )
  })

  it('fails on notes only when told to', async () => {
    write('a.asl.json', { StartAt: 'Done', States: { Done: { Type: 'Succeed' } } })
    expect((await run('check')).code).toBe(0)
    expect((await run('check', '--fail-on', 'info')).code).toBe(1)
  })

  it('explains a rule', async () => {
    const { code, out } = await run('check', '--explain', 'kinds/business-retried')
    expect(code).toBe(0)
    expect(out).toMatch(/^# kinds\/business-retried\n[\s\S]*## Bad[\s\S]*## Good/)
  })

  it.each([
    ['an unknown command', ['fly'], 'There is no command "fly"'],
    ['an unknown option', ['check', '--fly'], '--fly'],
    ['an unknown format', ['check', '--format', 'xml'], '--format is one of text, json, sarif, github'],
    [
      'a misspelt rule',
      ['check', '--explain', 'kinds/busines-retried'],
      'There is no rule "kinds/busines-retried". Did you mean kinds/business-retried?',
    ],
    ['a misspelt format', ['check', '--format', 'srif'], 'not "srif". Did you mean "sarif"?'],
    ['an unknown rule', ['check', '--explain', 'retried'], 'kinds/business-retried'],
    ['a file that is not there', ['check', 'none.asl.json'], 'There is no file none.asl.json'],
    ['nothing to check', ['check'], 'Nothing to check'],
    ['a config that is not there', ['check', '--config', 'none.ts'], 'There is no config none.ts'],
  ])('exits with 2 for %s', async (_name, args, message) => {
    const { code, out, error } = await run(...args)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(error).toContain(message)
  })

  it.each([
    ['cannot be loaded', 'throw new Error("no database")', 'no database'],
    ['exports nothing of use', 'export const config = { workflows: [{}] }', 'must export'],
    [
      'names a missing file',
      "export const config = { workflows: [{ definition: 'gone.asl.json' }] }",
      'gone.asl.json',
    ],
  ])('exits with 2 for a config that %s', async (_name, text, message) => {
    write('stepwright.config.mjs', text)
    const { code, error } = await run('check')
    expect(code).toBe(2)
    expect(error).toContain(message)
  })

  it('gives findings for files that cannot be read as definitions', async () => {
    write('cut.asl.json', '{"StartAt": "A", "States": {"A": {')
    write('list.asl.json', '[]')
    const { code, out } = await run('check', '--format', 'json')
    expect(code).toBe(1)
    expect(JSON.parse(out).findings.map((finding: { rule: string }) => finding.rule)).toEqual([
      'valid/syntax',
      'valid/field-value',
    ])
  })

  it('reads each definition and the config once', async () => {
    const path = (name: string) => fileURLToPath(new URL(name, import.meta.url))
    const { stderr } = await promisify(execFile)(process.execPath, [
      ...['--import', path('../test/count-reads.ts'), path('./bin.ts')],
      ...['check', '--fail-on', 'info', '--config', path('../test/doubles/doubles.config.ts')],
    ]).catch(error => error)
    expect(JSON.parse(stderr)).toMatchObject({ 'doubles.asl.json': 1, 'doubles.config.ts': 1 })
  }, 60_000)

  it('runs as a program, without colours where there is no terminal', async () => {
    write('import.asl.json', machine(['States.Al']))
    const bin = fileURLToPath(new URL('./bin.ts', import.meta.url))
    const ended = await promisify(execFile)(process.execPath, [bin, 'check'], { cwd: folder }).catch(
      error => error,
    )
    expect(ended.code).toBe(1)
    expect(ended.stdout).toContain('names/unknown-reserved')
    expect(ended.stdout).not.toContain('\u001b')
  }, 60_000)
})
