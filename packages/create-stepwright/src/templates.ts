export type TemplateName = 'minimal' | 'csv-import'

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
  '@middy/core',
  '@stepwright/app',
  '@stepwright/errors',
  '@stepwright/task',
  'zod',
]

export const commonDevDependencies: readonly string[] = [
  '@stepwright/asl-engine',
  '@stepwright/cli',
  '@stepwright/local-cloud',
  '@types/node',
  'typescript',
  'vitest',
]

export const templates: Readonly<Record<TemplateName, Template>> = {
  minimal: {
    title: 'one task, one state machine, one route that starts it',
    dependencies: ['@aws-sdk/client-sfn', '@stepwright/idempotency'],
    devDependencies: [],
    firstRun: 'npx stepwright run order --input order.json',
  },
  'csv-import': {
    title: 'a CSV that is put into a bucket is imported into PostgreSQL, each row once',
    dependencies: [
      '@aws-sdk/client-s3',
      '@aws-sdk/client-sfn',
      '@aws-sdk/s3-request-presigner',
      '@stepwright/batch-writer',
      '@stepwright/csv-chunker',
      '@stepwright/idempotency',
      '@stepwright/object-store',
      'kysely',
      'pg',
    ],
    devDependencies: ['@types/pg'],
    firstRun: 'npm run dev',
  },
}

export function isTemplateName(name: string): name is TemplateName {
  return Object.hasOwn(templates, name)
}
