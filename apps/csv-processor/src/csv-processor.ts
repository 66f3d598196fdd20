import { routeTasks } from '@stepwright/task/router'
import { aggregateResults } from './aggregate-results.ts'
import { handleFailure } from './handle-failure.ts'
import { processUserRecords } from './process-user-records.ts'
import { recordOutcomes } from './record-outcomes.ts'
import { validateCsvFile } from './validate-csv-file.ts'

/** The tasks of the Lambda, by `eventType`. */
export const routes = {
  CSV_VALIDATION: validateCsvFile,
  CSV_CHUNK_PROCESSING: processUserRecords,
  AUDIT_LOGGING: recordOutcomes,
  RESULT_AGGREGATION: aggregateResults,
  ERROR_HANDLING: handleFailure,
}

export const csvProcessor = routeTasks({ name: 'csv-processor', field: 'eventType', routes })
