import { isArn } from '../arn.ts'

/** Foundation models belong to no account. */
export function modelArn(model = '*'): string {
  return isArn(model) ? model : `arn:\${AWS::Partition}:bedrock:\${AWS::Region}::foundation-model/${model}`
}
