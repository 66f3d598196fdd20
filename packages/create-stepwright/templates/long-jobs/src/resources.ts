import { database, workflow } from '@stepwright/app/bindings'

export const db = database()
export const report = workflow('report')
