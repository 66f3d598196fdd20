import type { AlarmDeclaration } from './alarm.ts'
import type { App } from './app.ts'
import { physicalNames } from './physical-names.ts'
import type { Bucket, Table } from './resources.ts'

/** Logical ids of CloudFormation are made of them, and names of functions and state machines contain them. */
const keyPattern = /^[A-Za-z][A-Za-z0-9_-]*$/
const bucketPattern = /^[a-z0-9](?:[a-z0-9-]|\.(?!\.)){1,61}[a-z0-9]$/
const addressPattern = /^\d+\.\d+\.\d+\.\d+$/
const reservedBucketPattern =
  /^(?:xn--|sthree-|amzn-s3-demo-)|(?:-s3alias|--ols-s3|\.mrap|--x-s3|--table-s3)$/
/** RDS takes neither a hyphen at the end nor two in a row. */
const databasePattern = /-(?:-|$)/
const variablePattern = /^[A-Za-z][A-Za-z0-9_]+$/
const maxVariablesBytes = 4096
const maxFunctionDescription = 256
const maxAlarmDescription = 1024

/** What Lambda sets itself, and lets nobody else set. */
const reservedVariables: ReadonlySet<string> = new Set([
  '_HANDLER',
  '_X_AMZN_TRACE_ID',
  'AWS_ACCESS_KEY',
  'AWS_ACCESS_KEY_ID',
  'AWS_DEFAULT_REGION',
  'AWS_EXECUTION_ENV',
  'AWS_LAMBDA_FUNCTION_MEMORY_SIZE',
  'AWS_LAMBDA_FUNCTION_NAME',
  'AWS_LAMBDA_FUNCTION_VERSION',
  'AWS_LAMBDA_INITIALIZATION_TYPE',
  'AWS_LAMBDA_LOG_GROUP_NAME',
  'AWS_LAMBDA_LOG_STREAM_NAME',
  'AWS_LAMBDA_RUNTIME_API',
  'AWS_REGION',
  'AWS_SECRET_ACCESS_KEY',
  'AWS_SESSION_TOKEN',
  'LAMBDA_RUNTIME_DIR',
  'LAMBDA_TASK_ROOT',
])

/**
 * What runs on one machine, and would fail halfway through a deployment.
 * @throws TypeError with what to do about it
 */
export function assertDeployable(app: App): void {
  assertKeys(app)
  if (app.database && databasePattern.test(app.name)) {
    throw new TypeError(
      `the app's name ${app.name} is also that of its database, which takes no "-" at the end and no "--"; rename the app`,
    )
  }
  for (const [name, { task, environment = {} }] of Object.entries(app.functions)) {
    assertLength(task.description, maxFunctionDescription, `function ${name}: the description of its task`)
    for (const variable of Object.keys(environment)) assertVariable(variable, `function ${name}`)
    const literals = Object.entries(environment).filter(([, value]) => typeof value !== 'object')
    assertVariablesSize(name, Object.fromEntries(literals.map(([key, value]) => [key, String(value)])))
  }
  for (const [name, { description, runbook = '' }] of Object.entries<AlarmDeclaration>(app.alarms ?? {})) {
    const place = `alarm ${name}: its description, with the names and the runbook,`
    assertLength(`${app.name} ${name}: ${description} Runbook: ${runbook}`, maxAlarmDescription, place)
  }
  for (const [key, name] of Object.entries(physicalNames(app).buckets)) assertBucketName(key, name)
  for (const [name, { expiry = [] }] of Object.entries<Bucket>(app.resources?.buckets ?? {})) {
    const wrong = expiry.find(({ days }) => !(Number.isInteger(days) && days > 0))
    if (wrong !== undefined)
      throw new TypeError(`bucket ${name}: expiry days must be a whole number from 1, not ${wrong.days}`)
  }
  for (const [name, table] of Object.entries<Table>(app.resources?.tables ?? {})) {
    assertThroughput(name, table)
  }
}

/**
 * @param variables as they are deployed, or those whose values are known
 * @throws TypeError for more than Lambda takes for one function
 */
export function assertVariablesSize(functionName: string, variables: Readonly<Record<string, string>>): void {
  // Lambda measures them as JSON.
  const bytes = new TextEncoder().encode(JSON.stringify(variables)).length
  if (bytes <= maxVariablesBytes) return
  throw new TypeError(
    `function ${functionName}: its variables have ${bytes} bytes, and Lambda takes ${maxVariablesBytes}; put long values into an object of a bucket or a secret`,
  )
}

function assertKeys({ functions, workflows = {}, triggers = {}, alarms = {}, resources = {} }: App): void {
  const { buckets, tables, queues, secrets, glueJobs, configurationSets } = resources
  const kinds: Readonly<Record<string, object | undefined>> = {
    function: functions,
    workflow: workflows,
    trigger: triggers,
    alarm: alarms,
    bucket: buckets,
    table: tables,
    queue: queues,
    secret: secrets,
    'Glue job': glueJobs,
    'configuration set': configurationSets,
  }
  for (const [kind, declared = {}] of Object.entries(kinds)) {
    const wrong = Object.keys(declared).find(key => !keyPattern.test(key))
    if (wrong !== undefined)
      throw new TypeError(
        `${kind} ${wrong}: its name must be letters, digits, "-" and "_", the first a letter; rename it`,
      )
  }
}

function assertVariable(variable: string, place: string): void {
  if (reservedVariables.has(variable))
    throw new TypeError(`${place}: Lambda sets the variable ${variable} itself; give yours another name`)
  if (!variablePattern.test(variable))
    throw new TypeError(
      `${place}: the variable ${variable} must have two or more letters, digits and "_", the first a letter`,
    )
}

function assertLength(text: string | undefined, max: number, what: string): void {
  if (text === undefined || text.length <= max) return
  throw new TypeError(`${what} may have ${max} characters, not ${text.length}; shorten it`)
}

function assertBucketName(key: string, name: string): void {
  if (bucketPattern.test(name) && !addressPattern.test(name) && !reservedBucketPattern.test(name)) return
  throw new TypeError(
    `bucket ${key}: S3 does not take the name ${name}; it must be 3 to 63 lower-case letters, digits, "-" and ".", the first and the last a letter or digit, and not one that S3 reserves: set bucketName`,
  )
}

function assertThroughput(name: string, table: Table): void {
  if (table.BillingMode !== 'PROVISIONED') return
  const parts = [table, ...(table.GlobalSecondaryIndexes ?? [])]
  if (parts.every(({ ProvisionedThroughput }) => ProvisionedThroughput !== undefined)) return
  throw new TypeError(
    `table ${name}: BillingMode PROVISIONED needs ProvisionedThroughput, of the table and of each index; add it, or leave out BillingMode to pay per request`,
  )
}
