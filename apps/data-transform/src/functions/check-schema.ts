import { lambda } from '@stepwright/app/functions'
import { objects } from '@stepwright/object-store/bindings'
import { checkSchema } from '../check-schema.ts'
import { logFields } from '../correlation.ts'
import { curated } from '../resources.ts'

export const CheckSchema = lambda(
  checkSchema,
  { curated: objects(curated, 'read */_schema/*', 'read */ds=*', 'write */_schema/*') },
  { timeoutSeconds: 20, logFields },
)
