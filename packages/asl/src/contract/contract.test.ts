import { describe, expect, it } from 'vitest'
import { buildMachine } from '../machine/machine.ts'
import { createFindContract, type Tasks } from './contract.ts'

function task(name: string) {
  return { name, errors: [] }
}

function contractOf(fields: object, tasks: Tasks, name = 'Check The File'): string | undefined {
  const machine = buildMachine({ StartAt: name, States: { [name]: { Type: 'Task', End: true, ...fields } } })
  const state = machine?.states.get(name)
  return state && createFindContract(tasks)(state)?.name
}

function direct(name: string) {
  return { Resource: `arn:aws:lambda:eu-west-1:123456789012:function:${name}` }
}
function invoke(FunctionName: string, Payload: object = {}) {
  return {
    Resource: 'arn:aws:states:::lambda:invoke',
    Parameters: { FunctionName, Payload },
  }
}

describe('createFindContract', () => {
  it.each<[string, object]>([
    ['a function’s ARN', direct('validate-csv')],
    ['an ARN with an alias', direct('validate-csv:live')],
    ['the name in lambda:invoke', invoke('validate-csv')],
    ['another spelling', direct('ValidateCsv')],
    ['a placeholder for the ARN', { Resource: `$${'{ValidateCsvFunctionArn}'}` }],
    ['SAM’s attribute', invoke(`$${'{ValidateCsvFunction.Arn}'}:live`)],
    ['CDK’s logical id', invoke(`$${'{ValidateCsvFn8A2F31C0.Arn}'}`)],
  ])('finds a task by %s', (_name, fields) => {
    expect(contractOf(fields, [task('validate-csv'), task('write-chunk')])).toBe('validate-csv')
  })

  it('takes the state’s name first where it is a key, and last where it is only like a task’s name', () => {
    expect(contractOf(direct('other'), { Validate: task('a'), other: task('b') }, 'Validate')).toBe('a')
    expect(contractOf(direct('write-chunk'), [task('validate'), task('write-chunk')], 'Validate')).toBe(
      'write-chunk',
    )
    expect(contractOf(direct('csv-processor'), [task('validate')], 'Validate')).toBe('validate')
  })

  it('follows a router by the literal in the payload', () => {
    const router = { ...task('csv'), routes: { CHECK: task('check'), WRITE: task('write') } }
    expect(contractOf({ ...direct('csv'), Parameters: { eventType: 'WRITE' } }, [router])).toBe('write')
    expect(contractOf(invoke('csv', { kind: 'CHECK' }), [router])).toBe('check')
    expect(
      contractOf({ ...direct('csv'), Parameters: { 'eventType.$': '$.type' } }, [router]),
    ).toBeUndefined()
  })

  it('finds none for other services and other functions', () => {
    expect(contractOf({ Resource: 'arn:aws:states:::dynamodb:putItem' }, [task('validate')])).toBeUndefined()
    expect(contractOf(direct('elsewhere'), [task('validate')])).toBeUndefined()
  })
})
