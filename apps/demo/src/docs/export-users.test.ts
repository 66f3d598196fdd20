import { expect, it } from 'vitest'
import { findUnusedExports } from './export-users.ts'
import { root } from './generated.ts'

/** Exports without a user that stay, each with the reason. */
const kept: Readonly<Record<string, string>> = {
  '@stepwright/app/bindings: api': 'issue 33: campaign-import needs its own URL',
  '@stepwright/app/bindings: configurationSet': 'issue 33: campaign-import sends with one',
  '@stepwright/app/bindings: deadLettersOf': 'issue 33: for the option deadLetters of sqs()',
  '@stepwright/app/bindings: queue': 'issue 33: the resource behind sqs()',
  '@stepwright/app/bindings: setting': 'issue 33: the apps have settings',
  '@stepwright/app/functions: eventBridge': 'issue 33: one factory for each kind of event',
  '@stepwright/app/functions: eventStream': 'issue 33: long-jobs and async-generation stream',
  '@stepwright/app/functions: schedule': 'issue 33: one factory for each kind of event',
  '@stepwright/app/functions: sqs': 'issue 33: one factory for each kind of event',
  '@stepwright/asl-engine: createMemoryObjects': 'the objects of an ItemReader in a test of a workflow',
  '@stepwright/asl/assert: assertHonours': 'the checker for node:test, as docs/testing-without-aws.md says',
  '@stepwright/audit-log/dynamodb: auditSealTable': 'issue 37: seals with a key of their own',
  '@stepwright/audit-log/dynamodb: createDynamoDbSealStore': 'issue 37: seals with a key of their own',
  '@stepwright/audit-log/object: createObjectSealStore': 'issue 37: seals in a bucket with Object Lock',
  '@stepwright/audit-log: createSecretsManagerKeys': 'issue 37: secrets are read at run time',
  '@stepwright/batch-writer: readOutcomes': 'issue 33: outcome counts move into the package',
  '@stepwright/cdk: TaskFunction': 'a function in a stack without an app, as the README of cdk promises',
  '@stepwright/cdk: Workflow': 'a workflow in a stack without an app, as the README of cdk promises',
  '@stepwright/csv-chunker: createBytesSource': 'reads CSV that is in memory',
  '@stepwright/csv-chunker: createObjectSource': 'reads CSV of an object store without the tasks',
  '@stepwright/csv-chunker: detect': 'the README promises to detect, validate, split and read CSV',
  '@stepwright/csv-chunker: disarmFormula': 'issue 37: formulas in rejected.csv',
  '@stepwright/csv-chunker: lintForItemReader': 'docs/guides/import-a-large-csv.md recommends it',
  '@stepwright/csv-chunker: parseRows': 'the README promises to detect, validate, split and read CSV',
  '@stepwright/csv-chunker: readRows': 'the README promises to detect, validate, split and read CSV',
  '@stepwright/csv-chunker: splitToObjects': 'the campaign design stores chunk files',
  '@stepwright/csv-chunker: validate': 'the README promises to detect, validate, split and read CSV',
  '@stepwright/idempotency/migrations: createIdempotencyMigration': 'the table of the PostgreSQL store',
  '@stepwright/idempotency/postgres: deleteExpiredKeys': 'the port of the task purgeKeys',
  '@stepwright/idempotency/postgres: dropIdempotencySql': 'its migration runs it; the file is the entry',
  '@stepwright/idempotency/tasks: idempotencyTaskErrors': 'what a task around startExecution declares',
  '@stepwright/idempotency: payloadKey': 'the README promises payload keys',
  '@stepwright/local-cloud/mailbox: startMailbox': 'tests of mail use it alone',
  '@stepwright/local-eventbridge/vitest: testEventBridge': 'issue 40: the service alone, in tests',
  '@stepwright/local-sns/vitest: testSns': 'issue 40: the service alone, in tests',
  '@stepwright/mail/postgres: suppressionsSql': 'its migration runs it; the file is the entry',
  '@stepwright/mail: formatRecipient': 'issue 35: becomes part of createMessage',
  '@stepwright/mail: readMailEvents': 'SES events behind SNS or SQS, as the README of mail promises',
  '@stepwright/progress/tasks: progressTaskErrors': 'what a task around a job declares',
  '@stepwright/progress: beginJob': 'issue 38: the worker loop without Step Functions',
  '@stepwright/progress: endJob': 'issue 38: the worker loop without Step Functions',
  '@stepwright/task/durable: runAsStep': 'the README promises durable functions',
  '@stepwright/task/dynamodb-stream: toDynamoDbStreamHandler': 'issue 40: streams of the local DynamoDB',
  '@stepwright/task/kinesis: toKinesisHandler': 'the README promises Kinesis',
  '@stepwright/task/sns: toSnsHandler': 'the README promises SNS',
  '@stepwright/task/tracing: carryTrace': 'OpenTelemetry, as the README of task promises',
  '@stepwright/task/tracing: traceTask': 'OpenTelemetry, as the README of task promises',
  'create-stepwright: createProject': 'issue 42: one command creates a project from a clone',
}

it('finds a user for every exported value: an app, a template, another package or an example', () => {
  expect(findUnusedExports(root)).toEqual(Object.keys(kept).toSorted())
})
