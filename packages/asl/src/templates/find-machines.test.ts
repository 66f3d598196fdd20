import { describe, expect, it } from 'vitest'
import { checkWorkflow, findMachines, isTemplate, parseDefinition } from '../index.ts'

const tasks = {
  validate: { name: 'validate', errors: [{ name: 'ValidationError', kind: 'business' }] },
} as const

function retried(definition: unknown) {
  return checkWorkflow(definition, { tasks })
    .filter(({ rule }) => rule === 'kinds/business-retried')
    .map(({ file, pointer, line }) => ({ file, pointer, line }))
}

describe('findMachines', () => {
  it('reads what CDK makes: pieces joined around references', () => {
    const pieces = [
      '{"StartAt":"V","States":{"V":{"Type":"Task","Resource":"',
      { 'Fn::GetAtt': ['ValidateFn8A2F31C0', 'Arn'] },
      '","Retry":[{"ErrorEquals":["States.ALL"]}],"End":true}}}',
    ]
    const template = {
      Resources: {
        Machine: {
          Type: 'AWS::StepFunctions::StateMachine',
          Properties: { DefinitionString: { 'Fn::Join': ['', pieces] }, StateMachineType: 'EXPRESS' },
        },
        Bucket: { Type: 'AWS::S3::Bucket' },
      },
    }
    const source = parseDefinition(JSON.stringify(template), { file: 'stack.template.json' })
    expect(isTemplate(source.value)).toBe(true)
    const machines = findMachines(source)
    expect(machines).toMatchObject([{ logicalId: 'Machine', type: 'EXPRESS' }])
    expect(retried(machines[0]?.source)).toEqual([
      { file: 'stack.template.json', pointer: '/States/V/Retry/0/ErrorEquals', line: 1 },
    ])
  })

  it('reads a SAM template in YAML, with short forms and substitutions, at its own lines', () => {
    const text = [
      'Resources:',
      '  Machine:',
      '    Type: AWS::Serverless::StateMachine',
      '    Properties:',
      '      DefinitionSubstitutions:',
      '        ValidateArn: !GetAtt ValidateFunction.Arn',
      '      Definition:',
      '        StartAt: V',
      '        States:',
      '          V:',
      '            Type: Task',
      `            Resource: "\${ValidateArn}"`,
      '            Retry:',
      '              - ErrorEquals: [States.ALL]',
      '            End: true',
      '  Other:',
      '    Type: AWS::Serverless::StateMachine',
      '    Properties: { DefinitionUri: other.asl.json }',
      '',
    ].join('\n')
    const machines = findMachines(parseDefinition(text, { file: 'template.yaml' }))
    expect(machines).toMatchObject([
      { logicalId: 'Machine', substitutions: { ValidateArn: '$' + '{ValidateFunction.Arn}' } },
      { file: 'other.asl.json' },
    ])
    expect(retried(machines[0]?.source)).toEqual([
      { file: 'template.yaml', pointer: '/States/V/Retry/0/ErrorEquals', line: 14 },
    ])
  })

  it('takes Fn::Sub with values of its own, and says where a text is broken', () => {
    const sub = [
      '{"StartAt":"V","States":{"V":{"Type":"Task","Resource":"$' + '{Fn}","End":true}}}',
      { Fn: { Ref: 'Validate' } },
    ]
    const template = (definition: unknown) =>
      parseDefinition(
        JSON.stringify({
          Resources: {
            M: { Type: 'AWS::StepFunctions::StateMachine', Properties: { DefinitionString: definition } },
          },
        }),
      )
    expect(findMachines(template({ 'Fn::Sub': sub }))[0]?.source?.value).toMatchObject({
      States: { V: { Resource: '$' + '{Validate}' } },
    })
    expect(checkWorkflow(findMachines(template('{"StartAt"'))[0]?.source)).toMatchObject([
      { rule: 'valid/syntax' },
    ])
  })

  it('is not confused by what is no template', () => {
    expect(isTemplate({ StartAt: 'A', States: {} })).toBe(false)
    expect(findMachines(parseDefinition('[1]'))).toEqual([])
    expect(
      findMachines(
        parseDefinition('{"Resources":{"A":null,"B":{"Type":"AWS::StepFunctions::StateMachine"}}}'),
      ),
    ).toEqual([])
  })
})
