/** `…:stateMachine:name`, or with `:version` or `:alias` behind it. */
export interface MachineArn {
  readonly machineArn: string
  readonly qualifier: string | undefined
}

export function parseMachineArn(arn: string): MachineArn {
  const parts = arn.split(':')
  return { machineArn: parts.slice(0, 7).join(':'), qualifier: parts[7] }
}
