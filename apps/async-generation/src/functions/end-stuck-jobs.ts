import { binding } from '@stepwright/app/bindings'
import { lambda } from '@stepwright/app/functions'
import { executions } from '@stepwright/idempotency/bindings'
import { jobOutcomes } from '@stepwright/progress/bindings'
import { endStuckJobs } from '@stepwright/progress/tasks'
import { generation } from '../resources.ts'
import { texts, timeoutError } from '../texts.ts'
import { jobPorts } from './bindings.ts'

const outcomeOf = jobOutcomes(executions(generation, 'describe'), { failedMessage: texts.failed })
export const EndStuckJobs = lambda(
  endStuckJobs,
  { ...jobPorts, outcomeOf, timeoutError: binding({ open: () => timeoutError }) },
  { timeoutSeconds: 280 },
)
