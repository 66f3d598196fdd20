/** Where the services of this machine are. */
export interface ServiceEndpoints {
  readonly s3: string
  readonly dynamoDb: string
  readonly stepFunctions: string
  readonly lambda: string
  readonly sqs: string
  readonly sns: string
  readonly eventBridge: string
  readonly mailbox: string
  /** Where calls to all other services are refused. */
  readonly refusing: string
  readonly region: string
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string }
}

/** The SDKs' own variables, so that no app needs a local mode. */
export function sdkVariables(endpoints: ServiceEndpoints): Record<string, string> {
  return {
    AWS_ENDPOINT_URL: endpoints.refusing,
    AWS_ENDPOINT_URL_S3: endpoints.s3,
    AWS_ENDPOINT_URL_DYNAMODB: endpoints.dynamoDb,
    AWS_ENDPOINT_URL_SFN: endpoints.stepFunctions,
    AWS_ENDPOINT_URL_LAMBDA: endpoints.lambda,
    AWS_ENDPOINT_URL_SQS: endpoints.sqs,
    AWS_ENDPOINT_URL_SNS: endpoints.sns,
    AWS_ENDPOINT_URL_EVENTBRIDGE: endpoints.eventBridge,
    AWS_ENDPOINT_URL_SESV2: endpoints.mailbox,
    // For boto3 and the AWS CLI, which have this setting; sync-host.ts says what the JavaScript SDK needs.
    AWS_DISABLE_HOST_PREFIX_INJECTION: 'true',
    AWS_REGION: endpoints.region,
    AWS_DEFAULT_REGION: endpoints.region,
    AWS_ACCESS_KEY_ID: endpoints.credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: endpoints.credentials.secretAccessKey,
  }
}

/**
 * What keeps a function away from the developer's own account, whatever it calls: nothing of theirs is inherited.
 */
export const isolatingVariables: Readonly<Record<string, string>> = {
  AWS_CONFIG_FILE: '/dev/null',
  AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
  AWS_EC2_METADATA_DISABLED: 'true',
}

/** What a process needs of the machine it runs on. */
export function machineVariables(environment: NodeJS.ProcessEnv): Record<string, string> {
  const kept = ['PATH', 'HOME', 'TMPDIR', 'LANG', 'TZ', 'NODE_COMPILE_CACHE']
  return Object.fromEntries(kept.flatMap(name => (environment[name] ? [[name, environment[name]]] : [])))
}
