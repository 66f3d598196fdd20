import type { UserActivity } from './user-activity.ts'

export interface Database {
  user_activity: UserActivity
}

/** Which chunks of which jobs were written. A name of its own: other apps may share the database. */
export const ledgerTable = 'csv_processor_ledger'
