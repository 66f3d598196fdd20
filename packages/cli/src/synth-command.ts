import { relative, resolve } from 'node:path'
import {
  checkDeployment,
  concurrencyProblem,
  type DeploymentTarget,
  OutputDirectoryError,
  readDefinitions,
  reservedConcurrency,
  writeDeployment,
} from '@stepwright/synth'
import { appOf, requireConfig } from './config.ts'
import { type Io, UsageError } from './io.ts'
import { oneOf } from './one-of.ts'
import { readOptions } from './read-options.ts'

const synthUsage = `Usage: stepwright synth --target TARGET [options]

Writes what a tool needs to deploy the app of stepwright.config.ts: a template and
the code of its functions. The definitions are checked first; an error stops it.

Options:
  --target TARGET   cloudformation, sam or terraform
  --stage NAME      part of every name, so that several are in one account: dev, prod
  --out DIR         where it is written; what an earlier run wrote there is replaced
                    [default: stepwright.out]
  --database KIND   aurora, or existing: its URL is in the secret <app>/<stage>/databaseUrl
                    [default: aurora]
  --in-vpc          functions that use an existing database are in a VPC, as it is
  --alias NAME      workflows are started by this alias, which moves to each new version
  --discard-data    buckets, tables and database go when the stack does
  --account-concurrency N
                    the account's quota of concurrent executions: functions that reserve
                    more than it can give are an error
  --no-code         the templates alone
  --config FILE     the config [default: the nearest stepwright.config.ts]
  --help            this text

Exit: 0 written, 1 the check found errors or too little concurrency, 2 could not run.
`

const options = {
  target: { type: 'string' },
  stage: { type: 'string' },
  out: { type: 'string', default: 'stepwright.out' },
  database: { type: 'string' },
  alias: { type: 'string' },
  'account-concurrency': { type: 'string' },
  'in-vpc': { type: 'boolean', default: false },
  'discard-data': { type: 'boolean', default: false },
  'no-code': { type: 'boolean', default: false },
  config: { type: 'string' },
} as const

const targets: readonly DeploymentTarget[] = ['cloudformation', 'sam', 'terraform']

/** Runs `stepwright synth`; the result is its exit code. */
export async function runSynth(args: readonly string[], io: Io): Promise<0 | 1> {
  const { values } = readOptions(args, synthUsage, options)
  if (values.help) {
    io.out(synthUsage)
    return 0
  }
  const { stage } = values
  const target = oneOf('--target', values.target ?? '', targets)
  const database = oneOf('--database', values.database ?? 'aurora', ['aurora', 'existing'])
  const accountConcurrency = toQuota(values['account-concurrency'])
  const config = await requireConfig(io, values.config)
  const app = appOf(config)
  const errors = checkDeployment(app, readDefinitions(app)).filter(({ severity }) => severity === 'error')
  for (const { file, line, column, rule, message } of errors)
    io.error(`stepwright: ${file}:${line}:${column} ${rule}: ${message}\n`)
  if (errors.length > 0) return 1
  const problem = accountConcurrency === undefined ? undefined : concurrencyProblem(app, accountConcurrency)
  if (problem !== undefined) {
    io.error(`stepwright: ${problem}\n`)
    return 1
  }
  const directory = resolve(io.cwd, values.out)
  await writeDeployment(app, directory, {
    target,
    database,
    code: !values['no-code'],
    keep: [io.cwd, config.folder],
    keepData: !values['discard-data'],
    ...(values['in-vpc'] && { inVpc: true }),
    ...(values.alias !== undefined && { alias: { name: values.alias } }),
    ...(stage !== undefined && { stage }),
  }).catch(error => {
    if (error instanceof OutputDirectoryError) throw new UsageError(`--out: ${error.message}`)
    throw error
  })
  const reserved = reservedConcurrency(app)
  if (reserved > 0) io.out(noteOn(reserved, accountConcurrency))
  io.out(nextSteps(target, relative(io.cwd, directory) || '.', [app.name, stage].filter(Boolean).join('-')))
  return 0
}

function toQuota(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (!/^[1-9]\d*$/.test(text))
    throw new UsageError(`--account-concurrency must be a whole number from 1, not ${text}`)
  return Number(text)
}

function noteOn(reserved: number, accountConcurrency: number | undefined): string {
  const compared =
    accountConcurrency === undefined
      ? 'compare it with the account: aws lambda get-account-settings, and give --account-concurrency N'
      : `the account has ${accountConcurrency}`
  return `Note: the functions reserve ${reserved} concurrent executions; ${compared}.\n`
}

function nextSteps(target: DeploymentTarget, directory: string, stack: string): string {
  const commands: Readonly<Record<DeploymentTarget, readonly string[]>> = {
    cloudformation: [
      `aws s3 cp --recursive ${directory}/code s3://BUCKET/${stack}/`,
      `aws cloudformation deploy --stack-name ${stack} --template-file ${directory}/template.json --s3-bucket BUCKET --capabilities CAPABILITY_IAM --parameter-overrides CodeBucket=BUCKET CodePrefix=${stack}/ …`,
    ],
    sam: [
      `sam deploy --template-file ${directory}/template.json --stack-name ${stack} --resolve-s3 --capabilities CAPABILITY_IAM --parameter-overrides …`,
    ],
    terraform: [`terraform -chdir=${directory} init`, `terraform -chdir=${directory} apply -var …`],
  }
  return `Written to ${directory}. Next:\n\n${commands[target].map(command => `  ${command}\n`).join('')}`
}
