import { binding } from '@stepwright/app/bindings'
import { lambda } from '@stepwright/app/functions'
import { taskCallback } from '@stepwright/progress/bindings'
import { jobs } from '../jobs.ts'
import { writeReport } from '../report.ts'
import { report } from '../resources.ts'
import { createWriter } from '../writer.ts'

const writer = binding({ open: () => createWriter() })
export const WriteReport = lambda(
  writeReport,
  { jobs, callback: taskCallback(report), writer },
  { timeoutSeconds: 880 },
)
