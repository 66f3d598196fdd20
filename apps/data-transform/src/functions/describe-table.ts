import { reference } from '@stepwright/app/bindings'
import { lambda } from '@stepwright/app/functions'
import { objects } from '@stepwright/object-store/bindings'
import { logFields } from '../correlation.ts'
import { describeTable } from '../describe-table.ts'
import { curated } from '../resources.ts'

export const DescribeTable = lambda(
  describeTable,
  { curated: objects(curated, 'read */_schema/*', 'read */ds=*'), curatedBucket: reference(curated) },
  { timeoutSeconds: 20, logFields },
)
