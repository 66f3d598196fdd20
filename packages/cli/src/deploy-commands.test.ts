import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runMain } from './test/run-main.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stepwright-deploy-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function run(...args: string[]) {
  return runMain(folder, args)
}

function write(file: string, content: unknown): void {
  writeFileSync(join(folder, file), typeof content === 'string' ? content : JSON.stringify(content))
}
function read(file: string) {
  return JSON.parse(readFileSync(join(folder, file), 'utf8'))
}

const config = join(import.meta.dirname, '../../../apps/data-transform/stepwright.config.ts')

describe('stepwright synth', () => {
  it('writes a template of CloudFormation, and says what to do with it', async () => {
    const { code, out, error } = await run(
      'synth',
      '--target',
      'cloudformation',
      '--stage',
      'dev',
      '--no-code',
      '--config',
      config,
    )
    expect([code, error]).toEqual([0, ''])
    expect(out).toContain('aws cloudformation deploy --stack-name data-transform-dev')
    const { Resources } = read('stepwright.out/template.json')
    expect(Resources.TransformStateMachine.Properties.StateMachineName).toBe('data-transform-transform-dev')
    expect(Resources.TransformGlueJob.Properties.Command.ScriptLocation).toEqual({
      'Fn::Sub': expect.stringMatching(
        /^s3:\/\/\$\{CodeBucket\}\/\$\{CodePrefix\}transform-[0-9a-f]{16}\.py$/,
      ),
    })
    expect(globSync('stepwright.out/code/transform-*.py', { cwd: folder })).toHaveLength(1)
  })

  it.each(['.', '..', '../..'])('deletes nothing with --out %s', async out => {
    write('precious.txt', 'not in git')
    const { code, error } = await run(
      'synth',
      '--target',
      'sam',
      '--no-code',
      '--config',
      config,
      '--out',
      out,
    )
    expect([code, error]).toEqual([
      2,
      `stepwright: --out: ${join(folder, out)} contains the project: name a directory of its own for the output\n`,
    ])
    expect(readFileSync(join(folder, 'precious.txt'), 'utf8')).toBe('not in git')
  })

  it('replaces its own output, and nothing else', async () => {
    const synth = (target: string) => run('synth', '--target', target, '--no-code', '--config', config)
    await synth('sam')
    write('stepwright.out/notes.txt', 'mine')
    expect((await synth('cloudformation')).code).toBe(0)
    expect(globSync('stepwright.out/**/*.json', { cwd: folder, exclude: ['**/.*'] })).toEqual([
      'stepwright.out/template.json',
    ])
    expect(readFileSync(join(folder, 'stepwright.out/notes.txt'), 'utf8')).toBe('mine')
    rmSync(join(folder, 'stepwright.out/.stepwright-output.json'))
    expect((await synth('cloudformation')).error).toContain(
      'has files that this version did not write: delete it',
    )
  })

  it('writes a template of SAM, whose definitions are the files that were tested', async () => {
    await run('synth', '--target', 'sam', '--no-code', '--config', config, '--out', 'sam')
    const { Transform, Resources } = read('sam/template.json')
    expect(Transform).toBe('AWS::Serverless-2016-10-31')
    expect(Resources.PreflightFunction).toMatchObject({
      Type: 'AWS::Serverless::Function',
      Properties: { CodeUri: 'functions/Preflight', Runtime: 'nodejs24.x', Tracing: 'Active' },
    })
    expect(readFileSync(join(folder, 'sam/workflows/transform.asl.json'), 'utf8')).toBe(
      readFileSync(join(config, '../transform.asl.json'), 'utf8'),
    )
  })

  it('writes a module of Terraform that uploads the files and deploys the template', async () => {
    await run('synth', '--target', 'terraform', '--stage', 'dev', '--no-code', '--config', config)
    const { Parameters, Outputs } = read('stepwright.out/template.json')
    const { resource, variable, output } = read('stepwright.out/main.tf.json')
    const { for_each: files, ...upload } = resource.aws_s3_object.files
    const keys = Object.keys(files)
    expect(keys).toEqual([
      expect.stringMatching(/^template-[0-9a-f]{16}\.json$/),
      expect.stringMatching(/^transform-[0-9a-f]{16}\.py$/),
    ])
    for (const path of Object.values<string>(files))
      expect(globSync(path, { cwd: join(folder, 'stepwright.out') })).toHaveLength(1)
    expect(upload.key).toBe(`\${var.code_prefix}\${each.key}`)
    const { parameters, ...stack } = resource.aws_cloudformation_stack.app
    expect(stack).toMatchObject({
      name: 'data-transform-dev',
      template_url: expect.stringContaining(`/\${var.code_prefix}${keys[0]}`),
      capabilities: ['CAPABILITY_IAM'],
      depends_on: ['aws_s3_object.files'],
    })
    expect(Object.keys(parameters)).toEqual(Object.keys(Parameters))
    for (const value of Object.values<string>(parameters))
      expect(variable).toHaveProperty(/^\$\{(?:join\(",", )?var\.(\w+)\)?\}$/.exec(value)?.[1] ?? value)
    expect(Object.keys(output)).toHaveLength(Object.keys(Outputs).length)
  })

  it('says how much concurrency the functions reserve, and compares it with the account', async () => {
    const app = join(import.meta.dirname, '../../../apps/async-generation/stepwright.config.ts')
    const synth = (...more: string[]) =>
      run('synth', '--target', 'cloudformation', '--no-code', '--config', app, ...more)
    const { code, out } = await synth()
    expect(code).toBe(0)
    expect(out).toMatch(
      /^Note: the functions reserve \d+ concurrent executions; compare it with the account/m,
    )
    expect((await synth('--account-concurrency', '1000')).out).toContain('the account has 1000.')
    expect(await synth('--account-concurrency', '200')).toMatchObject({
      code: 1,
      error: expect.stringMatching(/^stepwright: the functions reserve \d+ .* can give 100, since 100 stay/),
    })
    expect(await synth('--account-concurrency', 'many')).toMatchObject({
      code: 2,
      error: expect.stringContaining('--account-concurrency must be a whole number from 1, not many'),
    })
  })

  it('refuses a target that it does not know', async () => {
    expect(await run('synth', '--target', 'pulumi')).toMatchObject({
      code: 2,
      error: expect.stringContaining('--target is one of cloudformation, sam, terraform'),
    })
  })
})

const definition = {
  StartAt: 'Double',
  States: {
    Double: { Type: 'Task', Resource: `\${DoubleFunction1A2B.Arn}`, ResultPath: '$.doubled', Next: 'Say' },
    Say: {
      Type: 'Task',
      Resource: 'arn:aws:states:::lambda:invoke',
      Parameters: { FunctionName: 'say', 'Payload.$': '$' },
      OutputPath: '$.Payload',
      End: true,
    },
  },
}
const functions = `
export const DoubleFunction = event => event.number * 2
export const say = event => \`it is \${event.doubled}\`
`

describe('stepwright run --template', () => {
  it('runs the state machine of a template as CDK writes it', async () => {
    write('functions.mjs', functions)
    write('input.json', { number: 21 })
    const text = JSON.stringify(definition)
    const [before = '', after = ''] = text.split(`\${DoubleFunction1A2B.Arn}`)
    write('app.template.json', {
      Resources: {
        Machine: {
          Type: 'AWS::StepFunctions::StateMachine',
          Properties: {
            DefinitionString: {
              'Fn::Join': ['', [before, { 'Fn::GetAtt': ['DoubleFunction1A2B', 'Arn'] }, after]],
            },
          },
        },
      },
    })
    const { code, out } = await run(
      'run',
      '--template',
      'app.template.json',
      '--functions',
      'functions.mjs',
      '--input',
      'input.json',
    )
    expect([code, out]).toEqual([0, '"it is 42"\n'])
  })

  it('runs one of a plan of Terraform, in a module', async () => {
    write('functions.mjs', functions)
    write('input.json', { number: 4 })
    write('plan.json', {
      planned_values: {
        root_module: {
          child_modules: [
            {
              resources: [
                {
                  type: 'aws_sfn_state_machine',
                  address: 'module.a.aws_sfn_state_machine.m',
                  values: {
                    definition: JSON.stringify(definition).replace(
                      `\${DoubleFunction1A2B.Arn}`,
                      'arn:aws:lambda:eu-west-1:1:function:DoubleFunction:live',
                    ),
                  },
                },
              ],
            },
          ],
        },
      },
    })
    const { code, out } = await run(
      'run',
      '--template',
      'plan.json',
      '--functions',
      'functions.mjs',
      '--input',
      'input.json',
    )
    expect([code, out]).toEqual([0, '"it is 8"\n'])
  })

  it('fails as the execution does, and says which function is missing', async () => {
    write('app.template.json', {
      Resources: { M: { Type: 'AWS::Serverless::StateMachine', Properties: { Definition: definition } } },
    })
    const { code, error } = await run('run', '--template', 'app.template.json')
    expect(code).toBe(1)
    expect(error).toContain('Function not found')
  })

  it('asks which one, where there are several', async () => {
    const machine = { Type: 'AWS::Serverless::StateMachine', Properties: { Definition: definition } }
    write('app.template.json', { Resources: { A: machine, B: machine } })
    expect(await run('run', '--template', 'app.template.json')).toMatchObject({
      code: 2,
      error: expect.stringContaining('Name one of its state machines: A, B.'),
    })
    expect(globSync('*', { cwd: folder })).toEqual(['app.template.json'])
  })
})
