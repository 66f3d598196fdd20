/** What a process in AWS would find set, for the services of this machine. */
export interface CloudEndpoints {
  readonly databaseUrl: string
  readonly s3: string
  readonly dynamoDb: string
  readonly stepFunctions: string
  readonly mailbox: string
  readonly region: string
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string }
}

/** The SDKs' own variables, so that no app needs a local mode. */
export function toEnvironment(endpoints: CloudEndpoints): Record<string, string> {
  return {
    DATABASE_URL: endpoints.databaseUrl,
    AWS_ENDPOINT_URL_S3: endpoints.s3,
    AWS_ENDPOINT_URL_DYNAMODB: endpoints.dynamoDb,
    AWS_ENDPOINT_URL_SFN: endpoints.stepFunctions,
    AWS_ENDPOINT_URL_SESV2: endpoints.mailbox,
    AWS_REGION: endpoints.region,
    AWS_ACCESS_KEY_ID: endpoints.credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: endpoints.credentials.secretAccessKey,
  }
}

/** Sets the variables in this process; the result puts back what was there before. */
export function setEnvironment(variables: Readonly<Record<string, string>>): () => void {
  const before = Object.keys(variables).map(name => [name, process.env[name]] as const)
  Object.assign(process.env, variables)
  return () => {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
    }
  }
}
