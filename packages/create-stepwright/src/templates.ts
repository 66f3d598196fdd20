export type TemplateName = 'minimal' | 'csv-import' | 'long-jobs'

/** What a new project can begin as. */
export interface Template {
  readonly title: string
  /** What the project needs when it runs, besides what every project needs. */
  readonly dependencies: readonly string[]
  /** What it needs while it is written, besides what every project needs. */
  readonly devDependencies: readonly string[]
  /** The command that shows it at work. */
  readonly firstRun: string
}

export const commonDependencies: readonly string[] = [
  '@aws-lambda-powertools/logger',
  '@aws-lambda-powertools/metrics',
  '@aws-sdk/client-sfn',
  '@middy/core',
  '@stepwright/app',
  '@stepwright/errors',
  '@stepwright/idempotency',
  '@stepwright/task',
  'zod',
]

export const commonDevDependencies: readonly string[] = [
  '@stepwright/asl-engine',
  '@stepwright/cli',
  '@stepwright/console',
  '@stepwright/local-cloud',
  '@types/node',
  'typescript',
  'vitest',
]

export const templates: Readonly<Record<TemplateName, Template>> = {
  minimal: {
    title: 'one task, one state machine, one route that starts it',
    dependencies: [],
    devDependencies: ['@stepwright/asl'],
    firstRun: 'npx stepwright run order --input order.json',
  },
  'csv-import': {
    title: 'a CSV that is put into a bucket is imported into PostgreSQL, each row once',
    dependencies: [
      '@aws-sdk/client-s3',
      '@aws-sdk/s3-request-presigner',
      '@stepwright/batch-writer',
      '@stepwright/csv-chunker',
      '@stepwright/object-store',
      '@stepwright/postgres',
      'kysely',
      'pg',
    ],
    devDependencies: ['@types/pg'],
    firstRun: 'npm run dev',
  },
  'long-jobs': {
    title: 'jobs behind an API, followed live, cancelled, continued where they stopped',
    dependencies: ['@stepwright/postgres', '@stepwright/progress', 'kysely', 'pg'],
    devDependencies: ['@types/pg'],
    firstRun: 'npm run dev',
  },
}
