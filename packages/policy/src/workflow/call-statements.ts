import type { Statement } from '../statement.ts'
import { type Call, createCall } from './call.ts'
import { optimizedStatements } from './optimized.ts'
import { sdkStatements } from './sdk.ts'

/** What one call to a service needs, as a state machine writes it: `dynamodb` `getItem`, `aws-sdk:s3` `putObject`. */
export function callStatements(
  call: Pick<Call, 'service' | 'action' | 'pattern'>,
  parameters: unknown,
): readonly Statement[] {
  const made = createCall(call, parameters, {})
  return call.service.startsWith('aws-sdk:') ? sdkStatements(made) : (optimizedStatements(made) ?? [])
}
