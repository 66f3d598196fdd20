import type { StepwrightAppProps } from '@stepwright/cdk'

export type Stage = 'dev' | 'prod'

/** What differs between the stages, and nothing else does. */
export const stages: Readonly<Record<Stage, Pick<StepwrightAppProps, 'keepData' | 'logRetentionDays'>>> = {
  dev: { keepData: false, logRetentionDays: 14 },
  prod: { keepData: true, logRetentionDays: 365 },
}
