import { type EngineOptions, StateFailure, TaskFailure } from '@stepwright/asl-engine'

/** Decides who may do what; an answer says why not, as AWS words it, and undefined lets it happen. */
export interface StepFunctionsGuard {
  /** Whether somebody may call the API. */
  readonly ofRequest: (request: StepFunctionsRequest) => string | undefined
  /** Whether an execution of a machine may make a call, by the machine's role. */
  readonly ofMachine: (stateMachineArn: string, call: GuardedCall) => string | undefined
}

export interface StepFunctionsRequest {
  readonly accessKeyId: string
  /** `StartExecution` */
  readonly operation: string
  readonly input: Readonly<Record<string, unknown>>
}

export interface GuardedCall {
  /** `lambda`, `dynamodb`, `aws-sdk:s3`; `states` `runChildren` for the children of a Distributed Map. */
  readonly service: string
  readonly action: string
  readonly pattern: 'request' | 'sync' | 'sync:2' | 'waitForTaskToken'
  readonly parameters: unknown
}

type Ports = Omit<EngineOptions, 'definition'>

/** Ports that ask before each call whether the machine's role allows it. */
export function guardPorts(ports: Ports, stateMachineArn: string, guard: StepFunctionsGuard): Ports {
  const ask = (call: GuardedCall): void => {
    const refusal = guard.ofMachine(stateMachineArn, call)
    if (refusal !== undefined) throw new TaskFailure(errorOf(call.service), refusal)
  }
  const askForObject = (action: string, parameters: unknown): void =>
    ask({ service: 'aws-sdk:s3', action, pattern: 'request', parameters })
  const { invoke, services, objects, mapRuns } = ports
  return {
    ...ports,
    ...(invoke && {
      invoke: (arn, payload, context) => {
        ask({ service: 'lambda', action: 'invoke', pattern: 'request', parameters: { FunctionName: arn } })
        return invoke(arn, payload, context)
      },
    }),
    ...(services && {
      services: call => {
        ask(call)
        return services(call)
      },
    }),
    ...(objects && {
      objects: {
        get: (Bucket, Key) => {
          askForObject('getObject', { Bucket, Key })
          return objects.get(Bucket, Key)
        },
        list: (Bucket, Prefix) => {
          askForObject('listObjectsV2', { Bucket, ...(Prefix !== undefined && { Prefix }) })
          return objects.list(Bucket, Prefix)
        },
        put: async (Bucket, Key, body) => {
          askForObject('putObject', { Bucket, Key })
          return objects.put(Bucket, Key, body)
        },
      },
    }),
    ...(mapRuns && {
      mapRuns: {
        ...mapRuns,
        onStart: (run, control) => {
          const call = {
            service: 'states',
            action: 'runChildren',
            pattern: 'request',
            parameters: run,
          } as const
          const refusal = guard.ofMachine(stateMachineArn, call)
          if (refusal !== undefined) throw new StateFailure('States.Permissions', refusal)
          mapRuns.onStart(run, control)
        },
      },
    }),
  }
}

/** What Step Functions calls the refusal of a service: that of the SDK which it calls it by. */
const errors: Readonly<Record<string, string>> = {
  dynamodb: 'DynamoDB.AmazonDynamoDBException',
  lambda: 'Lambda.AWSLambdaException',
  sns: 'SNS.AuthorizationErrorException',
  sqs: 'SQS.AmazonSQSException',
  states: 'StepFunctions.AWSStepFunctionsException',
}

function errorOf(service: string): string {
  const known = errors[service]
  if (known !== undefined) return known
  const sdk = service.startsWith('aws-sdk:') ? pascal(service.slice(8)) : undefined
  return sdk === undefined ? `${pascal(service)}.AccessDeniedException` : `${sdk}.${sdk}Exception`
}

function pascal(name: string): string {
  return `${name[0]?.toUpperCase()}${name.slice(1)}`
}
