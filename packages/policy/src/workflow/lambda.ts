import { toArn } from '../arn.ts'
import { allow, type Statement } from '../statement.ts'

/** A function, by its name, ARN or placeholder; a version or alias of it is a resource of its own. */
export function lambdaStatements(name = '*', qualifier?: string): readonly Statement[] {
  const arn = toArn(name, 'lambda', 'function:')
  return [
    allow(
      'InvokeFunctions',
      ['lambda:InvokeFunction'],
      [qualifier === undefined ? arn : `${arn}:${qualifier}`],
    ),
  ]
}
