import { bindFrom } from '@stepwright/app/bindings'
import { lambda } from '@stepwright/app/functions'
import { auditLog } from '@stepwright/audit-log/bindings'
import { chunkLedger, rowWriter } from '@stepwright/batch-writer/bindings'
import { chunks } from '@stepwright/csv-chunker/bindings'
import { recentRanges, storesByName } from '@stepwright/object-store/bindings'
import { postgres } from '@stepwright/postgres/bindings'
import { createPostgresUploads } from '../completed-uploads.ts'
import { csvProcessor } from '../csv-processor.ts'
import { createFailurePorts } from '../handle-failure.ts'
import { createOutcomesOf } from '../outcomes.ts'
import { audit, auditKeys, db, input, output } from '../resources.ts'
import {
  contributionTable,
  ledgerTable,
  redactUsers,
  trailSeconds,
  type UserContribution,
} from '../user-activity.ts'

/** A Lambda process needs one connection; a process of the local cloud as many as a Map has children. */
const pool = postgres(db, { concurrency: 5 })
const storeOf = recentRanges(
  storesByName(
    [input, 'read data/*', 'read chunks/*', 'write chunks/*'],
    [output, 'read results/*', 'write results/*'],
  ),
)
const ledger = chunkLedger(pool, { tableName: ledgerTable })
const readChunk = chunks(storeOf)
const failures = bindFrom({ storeOf, ledger, readChunk }, createFailurePorts)

export const CsvProcessor = lambda(
  csvProcessor,
  {
    storeOf,
    ledger,
    readChunk,
    uploads: bindFrom(pool, async opened => createPostgresUploads({ pool: opened })),
    // Rejected rows are counted for the whole file, not for a chunk. A database that is gone is reported after 5 s:
    // then the state machine waits and tries again.
    writer: rowWriter<UserContribution>(pool, contributionTable, {
      maxRejected: Number.MAX_SAFE_INTEGER,
      retryForMs: 5_000,
    }),
    outcomesOf: bindFrom({ ledger, readChunk }, createOutcomesOf),
    outcomesOfRest: bindFrom(failures, ports => ports.outcomesOfRest),
    reportFailure: bindFrom(failures, ports => ports.reportFailure),
    audit: auditLog({
      table: audit,
      keys: auditKeys,
      redact: redactUsers,
      ttlSeconds: trailSeconds,
      blockSize: 5_000, // a batch of the largest chunks is one block: one call to DynamoDB
    }),
  },
  {
    timeoutSeconds: 300,
    // Metrics have no dimension for it (ADR 0843): the request id leads from a metric's line to these.
    logFields: event => ({ executionId: (event as { readonly executionId?: unknown }).executionId }),
    // Little data lives long, however large the file: a heap that grows lazily would only fill the machine.
    variables: {
      NODE_OPTIONS: '--max-semi-space-size=4 --max-old-space-size=300',
      MALLOC_ARENA_MAX: 1,
    },
  },
)
