import { closest } from '@stepwright/errors/spelling'
import { type SdkProblem, sdkActionsOf, sdkProblem } from './sdk-actions.ts'

/** How a Task may wait for an action; `request` is always allowed. */
type Pattern = 'sync' | 'sync:2' | 'waitForTaskToken'

interface Actions {
  readonly [action: string]: readonly Pattern[]
}

function all(actions: string, patterns: readonly Pattern[]): Actions {
  return Object.fromEntries(actions.split(' ').map(action => [action, patterns]))
}

/**
 * The optimized integrations: the actions of each service, and how they may be waited for besides a plain request
 * (developer guide, "Integrating optimized services"). The list is complete: any other action is an `aws-sdk:` integration.
 */
const optimizedActions: Readonly<Record<string, Actions>> = {
  apigateway: all('invoke', ['waitForTaskToken']),
  athena: {
    ...all('startQueryExecution', ['sync']),
    ...all('stopQueryExecution getQueryExecution getQueryResults', []),
  },
  batch: all('submitJob', ['sync']),
  bedrock: {
    ...all('invokeModel', ['waitForTaskToken']),
    ...all('createModelCustomizationJob', ['sync', 'waitForTaskToken']),
  },
  bedrockagentcore: all('invokeHarness', []),
  codebuild: {
    ...all('startBuild startBuildBatch retryBuildBatch', ['sync']),
    ...all('stopBuild batchDeleteBuilds batchGetReports stopBuildBatch deleteBuildBatch', []),
  },
  databrew: all('startJobRun', ['sync']),
  dynamodb: all('getItem putItem deleteItem updateItem', []),
  ecs: all('runTask', ['sync', 'waitForTaskToken']),
  eks: {
    ...all(
      'createCluster deleteCluster createNodegroup deleteNodegroup createFargateProfile deleteFargateProfile runJob',
      ['sync', 'waitForTaskToken'],
    ),
    ...all('call', ['waitForTaskToken']),
  },
  elasticmapreduce: {
    ...all('addStep createCluster terminateCluster', ['sync']),
    ...all(
      'cancelStep setClusterTerminationProtection modifyInstanceFleetByName modifyInstanceGroupByName',
      [],
    ),
  },
  'emr-containers': {
    ...all('createVirtualCluster', []),
    ...all('deleteVirtualCluster startJobRun', ['sync']),
  },
  'emr-serverless': all(
    'createApplication startApplication stopApplication deleteApplication startJobRun cancelJobRun',
    ['sync'],
  ),
  events: all('putEvents', ['waitForTaskToken']),
  glue: all('startJobRun', ['sync']),
  http: all('invoke', []),
  lambda: all('invoke', ['waitForTaskToken']),
  mediaconvert: all('createJob', ['sync']),
  sagemaker: {
    ...all('createEndpoint createEndpointConfig createModel updateEndpoint', []),
    ...all(
      'createLabelingJob createHyperParameterTuningJob createTrainingJob createTransformJob createProcessingJob',
      ['sync'],
    ),
  },
  sns: all('publish', ['waitForTaskToken']),
  sqs: all('sendMessage', ['waitForTaskToken']),
  states: all('startExecution', ['sync', 'sync:2', 'waitForTaskToken']),
}

/** Names that people give to services which Step Functions calls otherwise. */
const otherNames: Readonly<Record<string, string>> = {
  cloudwatchevents: 'events',
  emr: 'elasticmapreduce',
  eventbridge: 'events',
  sfn: 'states',
  stepfunctions: 'states',
}

/** Why an integration does not exist, or `undefined` where it does; `unknown` where it may be newer than what is known here. */
export function integrationProblem(
  service: string,
  action: string,
  pattern: string | undefined,
): SdkProblem | undefined {
  if (service === 'aws-sdk') {
    if (pattern?.startsWith('sync'))
      return refused(`An AWS SDK integration cannot be waited for with .${pattern}.`)
    const [name = '', called = ''] = action.split(':')
    return sdkProblem(name, called)
  }
  const actions = Object.hasOwn(optimizedActions, service) ? optimizedActions[service] : undefined
  if (actions === undefined)
    return refused(`There is no optimized integration "${service}".`, meantBy(service, action))
  const patterns = Object.hasOwn(actions, action) ? actions[action] : undefined
  if (patterns === undefined)
    return refused(
      `${service}:${action} is no optimized integration: there is ${Object.keys(actions).join(', ')}.`,
      meantBy(service, action),
    )
  return pattern === undefined || patterns.includes(pattern as Pattern)
    ? undefined
    : refused(`${service}:${action} cannot be waited for with .${pattern}.`)
}

function refused(message: string, suggestion?: string): SdkProblem {
  return { kind: 'refused', message, suggestion }
}

/** The integration that was meant: one with a name like this, or one of the AWS SDK. */
function meantBy(service: string, action: string): string | undefined {
  const named =
    (Object.hasOwn(otherNames, service) ? otherNames[service] : undefined) ??
    closest(service, Object.keys(optimizedActions)) ??
    service
  const actions = Object.hasOwn(optimizedActions, named) ? Object.keys(optimizedActions[named] ?? {}) : []
  const meant = actions.includes(action) ? action : closest(action, actions)
  if (meant !== undefined) return `Did you mean "${named}:${meant}"?`
  return sdkActionsOf(service)?.has(action) ? `Did you mean "aws-sdk:${service}:${action}"?` : undefined
}

/** All optimized integrations, as a Resource names them behind `arn:aws:states:::`. */
export function optimizedIntegrations(): readonly string[] {
  return Object.entries(optimizedActions).flatMap(([service, actions]) =>
    Object.entries(actions).flatMap(([action, patterns]) =>
      ['', ...patterns].map(pattern => `${service}:${action}${pattern === '' ? '' : `.${pattern}`}`),
    ),
  )
}
