import { http } from '@stepwright/app/functions'
import { executions } from '@stepwright/idempotency/bindings'
import { jobLauncher } from '@stepwright/progress/bindings'
import { jobs, owned } from '../jobs.ts'
import { startReport } from '../report.ts'
import { report } from '../resources.ts'

const launcher = jobLauncher(executions(report, 'start'))
export const StartJob = http(
  startReport,
  { jobs, launcher },
  { ...owned, input: ({ body }) => ({ type: 'REPORT', params: body }), successStatus: 202 },
)
