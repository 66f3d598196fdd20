import { lambda } from '@stepwright/app/functions'
import { objects } from '@stepwright/object-store/bindings'
import { acceptSchema } from '../accept-schema.ts'
import { logFields } from '../correlation.ts'
import { curated } from '../resources.ts'

export const AcceptSchema = lambda(
  acceptSchema,
  { curated: objects(curated, 'read */_schema/*', 'write */_schema/*') },
  { timeoutSeconds: 20, logFields },
)
