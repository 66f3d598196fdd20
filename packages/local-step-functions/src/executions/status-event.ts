import type { ExecutionState } from './execution-state.ts'

/** An execution's change of status in the shape of EventBridge. */
export interface StatusChangeEvent {
  readonly version: '0'
  readonly id: string
  readonly 'detail-type': 'Step Functions Execution Status Change'
  readonly source: 'aws.states'
  readonly account: string
  readonly time: string
  readonly region: string
  readonly resources: readonly string[]
  readonly detail: {
    readonly executionArn: string
    readonly stateMachineArn: string
    /** The version, and the alias, that the execution was started by. */
    readonly stateMachineVersionArn: string | null
    readonly stateMachineAliasArn: string | null
    readonly name: string
    readonly status: string
    readonly startDate: number
    readonly stopDate: number | null
    readonly input: string
    readonly output: string | null
    readonly inputDetails: { readonly included: true }
    readonly outputDetails: { readonly included: true } | null
    readonly error: string | null
    readonly cause: string | null
  }
}

export function toStatusEvent(
  execution: ExecutionState,
  { id, account, region, nowMs }: { id: string; account: string; region: string; nowMs: number },
): StatusChangeEvent {
  return {
    version: '0',
    id,
    'detail-type': 'Step Functions Execution Status Change',
    source: 'aws.states',
    account,
    time: `${new Date(nowMs).toISOString().slice(0, 19)}Z`,
    region,
    resources: [execution.arn],
    detail: {
      executionArn: execution.arn,
      stateMachineArn: execution.stateMachineArn,
      stateMachineVersionArn: execution.stateMachineVersionArn ?? null,
      stateMachineAliasArn: execution.stateMachineAliasArn ?? null,
      name: execution.name,
      status: execution.status,
      startDate: execution.startMs,
      stopDate: execution.stopMs ?? null,
      input: execution.inputText,
      output: execution.outputText ?? null,
      inputDetails: { included: true },
      outputDetails: execution.outputText === undefined ? null : { included: true },
      error: execution.error ?? null,
      cause: execution.cause ?? null,
    },
  }
}
