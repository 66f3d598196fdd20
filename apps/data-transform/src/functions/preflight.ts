import { reference } from '@stepwright/app/bindings'
import { lambda } from '@stepwright/app/functions'
import { objects } from '@stepwright/object-store/bindings'
import { logFields } from '../correlation.ts'
import { preflight } from '../preflight.ts'
import { curated, raw } from '../resources.ts'
import { lock } from './bindings.ts'

export const Preflight = lambda(
  preflight,
  {
    raw: objects(raw, 'read'),
    rawBucket: reference(raw),
    curated: objects(
      curated,
      'read _settings/*',
      'read */_schema/*',
      'read */ds=*',
      'read */runs/*',
      'write */ds=*',
      'write */runs/*',
    ),
    curatedBucket: reference(curated),
    lock,
  },
  { timeoutSeconds: 55, logFields },
)
