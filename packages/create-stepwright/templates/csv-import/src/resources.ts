import { bucket, database, workflow } from '@stepwright/app/bindings'

export const files = bucket('files', { expiry: [{ prefix: 'chunks/', days: 30 }] })
export const db = database()
export const importing = workflow('import')
