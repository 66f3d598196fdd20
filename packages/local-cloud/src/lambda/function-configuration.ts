import type { CallOptions } from '../functions/function-host.ts'

/** A function as Lambda's API knows it. */
export interface LambdaFunction {
  readonly arn: string
  readonly handler: string
  readonly memoryMb: number
  readonly timeoutSeconds: number
  readonly call: (event: unknown, options: CallOptions) => Promise<unknown>
}

export function nameOf(arn: string): string {
  return arn.split(':')[6] ?? ''
}

/** What GetFunctionConfiguration says; nothing of the environment, which holds secrets. */
export function configurationOf({ arn, handler, memoryMb, timeoutSeconds }: LambdaFunction): object {
  return {
    FunctionName: nameOf(arn),
    FunctionArn: arn,
    Runtime: 'nodejs24.x',
    Role: 'arn:aws:iam::000000000000:role/local',
    Handler: handler,
    Description: '',
    Timeout: timeoutSeconds,
    MemorySize: memoryMb,
    Version: '$LATEST',
    PackageType: 'Zip',
    State: 'Active',
    LastUpdateStatus: 'Successful',
  }
}
