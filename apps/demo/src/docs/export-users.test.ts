import { expect, it } from 'vitest'
import { findUnusedExports } from './export-users.ts'
import { root } from './generated.ts'

/** Exports without a user that stay, each with the reason. */
const kept: Readonly<Record<string, string>> = {
  '@stepwright/app/bindings: deadLettersOf':
    'for the option deadLetters of sqs(), as the README of app promises',
  '@stepwright/app/functions: eventBridge':
    'one factory for each kind of event, as the README of app promises',
  '@stepwright/app/functions: sqs': 'one factory for each kind of event, as the README of app promises',
  '@stepwright/audit-log/table: auditSealTable': 'issue 37: seals with a key of their own',
  '@stepwright/audit-log/dynamodb: createDynamoDbSealStore': 'issue 37: seals with a key of their own',
  '@stepwright/audit-log/object: createObjectSealStore': 'issue 37: seals in a bucket with Object Lock',
  '@stepwright/audit-log: createSecretsManagerKeys': 'issue 37: secrets are read at run time',
  '@stepwright/csv-chunker: disarmFormula': 'for people who write CSVs with a library of their own',
  '@stepwright/local-eventbridge/vitest: testEventBridge': 'issue 40: the service alone, in tests',
  '@stepwright/local-sns/vitest: testSns': 'issue 40: the service alone, in tests',
  '@stepwright/mail/postgres: createPostgresSuppressions': 'people without an app use it',
  '@stepwright/mail/postgres: suppressionsSql': 'its migration runs it; the file is the entry',
  '@stepwright/progress/tasks: progressTaskErrors': 'what a task around a job declares',
}

it('finds a user for every exported value: an app, a template, another package or an example', () => {
  expect(findUnusedExports(root)).toEqual(Object.keys(kept).toSorted())
})
