import type { Pattern } from '../pattern/event-pattern.ts'

export interface Rule {
  readonly name: string
  readonly busName: string
  readonly pattern: Pattern | undefined
  readonly schedule: string | undefined
  readonly description: string | undefined
  readonly roleArn: string | undefined
  readonly isEnabled: boolean
  readonly targets: readonly Target[]
}

/** What a rule delivers events to, as PutTargets says it. */
export interface Target {
  readonly Id: string
  readonly Arn: string
  readonly RoleArn?: string
  /** JSON that is delivered in place of the event. */
  readonly Input?: string
  readonly InputPath?: string
  readonly InputTransformer?: {
    readonly InputPathsMap?: Readonly<Record<string, string>>
    readonly InputTemplate: string
  }
  readonly SqsParameters?: { readonly MessageGroupId?: string }
  readonly DeadLetterConfig?: { readonly Arn?: string }
  readonly RetryPolicy?: {
    readonly MaximumRetryAttempts?: number
    readonly MaximumEventAgeInSeconds?: number
  }
}
