import type { AppDeclaration } from '@stepwright/app'
import { CsvProcessor } from './functions/csv-processor.ts'
import { processing } from './resources.ts'

/** What the functions count. */
export const metrics = {
  CSVValidationDuration: {
    description: 'How long the check of a file took.',
    unit: 'Seconds',
    by: [CsvProcessor],
  },
  UserRecordsProcessed: {
    description: 'Rows of the files that were processed.',
    by: [CsvProcessor],
  },
  ProcessingErrors: { description: 'Rows that were not reflected.', by: [CsvProcessor] },
} satisfies AppDeclaration['metrics']

/** When somebody has to look. */
export const alarms = {
  ExecutionFailed: {
    description: 'A file was not processed, or not within its tolerance.',
    runbook: 'docs/runbooks/execution-failed.md',
    metric: { workflow: processing, name: 'ExecutionsFailed' },
    above: 0,
    periodMinutes: 1,
  },
  ExecutionTimedOut: {
    description: 'A file took more than 600 s, and may be reflected in part.',
    runbook: 'docs/runbooks/execution-timed-out.md',
    metric: { workflow: processing, name: 'ExecutionsTimedOut' },
    above: 0,
    periodMinutes: 1,
  },
  TrailUnsealed: {
    description: 'An execution was stopped before its last state, which seals its trail.',
    runbook: 'docs/runbooks/audit-trail-unsealed.md',
    metric: { workflow: processing, name: 'ExecutionsAborted' },
    above: 0,
  },
  ProcessingIsSlow: {
    description: 'A file took more than 300 s: 1,000 rows are meant to take less.',
    runbook: 'docs/runbooks/slow.md',
    metric: { workflow: processing, name: 'ExecutionTime' },
    statistic: 'maximum',
    above: 300_000,
  },
  ManyRowsFail: {
    description: 'More rows failed within an hour than a single file may have.',
    runbook: 'docs/runbooks/rows-failing.md',
    metric: { metric: 'ProcessingErrors' },
    above: 50,
    periodMinutes: 60,
  },
} satisfies AppDeclaration['alarms']
