import { postgres } from '@stepwright/postgres/bindings'
import { jobStore } from '@stepwright/progress/bindings'
import { db } from './resources.ts'

/** Every job, in PostgreSQL. */
export const jobs = jobStore(postgres(db))

/** Users see their own jobs only: who they are, their token says. */
export const owned = { caller: 'userId' } as const
