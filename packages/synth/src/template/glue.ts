import type { GlueJob } from '@stepwright/app'
import type { Deployment } from '../deployment.ts'
import { mergeResources } from './merge-resources.ts'
import { roleResource } from './roles.ts'
import { getAtt, logicalId, ref, type TemplateResources } from './template.ts'

/** Where the script of a job is: an URL of S3. */
export type ScriptOf = (jobName: string) => unknown

/** Glue's jobs, each with its role, and the databases of the catalog. */
export function glueResources(deployment: Deployment, scriptOf: ScriptOf): TemplateResources {
  const { glueJobs = {} } = deployment.app.resources ?? {}
  return mergeResources(
    ...Object.entries<GlueJob>(glueJobs).map(([name, job]) => jobResources(deployment, name, job, scriptOf)),
    ...[...new Set(Object.values(deployment.names.catalogDatabases))].map(name => ({
      [catalogId(name)]: {
        Type: 'AWS::Glue::Database',
        Properties: { CatalogId: ref('AWS::AccountId'), DatabaseInput: { Name: name } },
      },
    })),
  )
}

export function glueJobId(name: string): string {
  return logicalId(name, 'GlueJob')
}

function catalogId(databaseName: string): string {
  return logicalId(databaseName, 'Catalog')
}

function jobResources(
  deployment: Deployment,
  name: string,
  { glueVersion = '5.0', workerType = 'G.1X', workers = 2, timeoutMinutes = 60, ...job }: GlueJob,
  scriptOf: ScriptOf,
): TemplateResources {
  const id = glueJobId(name)
  return {
    [`${id}Role`]: roleResource(deployment, name, 'glueJob'),
    [id]: {
      Type: 'AWS::Glue::Job',
      Properties: {
        Name: deployment.names.glueJobs[name],
        Role: getAtt(`${id}Role`, 'Arn'),
        Command: { Name: 'glueetl', PythonVersion: '3', ScriptLocation: scriptOf(name) },
        GlueVersion: glueVersion,
        WorkerType: workerType,
        NumberOfWorkers: workers,
        Timeout: timeoutMinutes,
        // Whether a run is tried again, the state machine says.
        MaxRetries: 0,
        ExecutionProperty: { MaxConcurrentRuns: job.maxConcurrentRuns ?? 10 },
        DefaultArguments: { '--enable-metrics': 'true', ...job.arguments },
        Tags: deployment.tags,
      },
    },
  }
}
