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
 * (developer guide, "Integrating optimized services"). Any other action is an `aws-sdk:` integration.
 */
const optimizedActions: Readonly<Record<string, Actions>> = {
  apigateway: all('invoke', ['waitForTaskToken']),
  athena: {
    ...all('startQueryExecution', ['sync']),
    ...all('stopQueryExecution getQueryExecution getQueryResults', []),
  },
  batch: all('submitJob', ['sync']),
  bedrock: { ...all('invokeModel', []), ...all('createModelCustomizationJob', ['sync']) },
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
      ['sync'],
    ),
    ...all('call', []),
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

/** Why an integration does not exist, or `undefined` where it does; services that are not known here may. */
export function integrationProblem(
  service: string,
  action: string,
  pattern: string | undefined,
): string | undefined {
  if (service === 'aws-sdk')
    return pattern?.startsWith('sync')
      ? `An AWS SDK integration cannot be waited for with .${pattern}.`
      : undefined
  const actions = Object.hasOwn(optimizedActions, service) ? optimizedActions[service] : undefined
  if (actions === undefined) return undefined
  const patterns = Object.hasOwn(actions, action) ? actions[action] : undefined
  if (patterns === undefined)
    return `${service}:${action} is no optimized integration: there is ${Object.keys(actions).join(', ')}.`
  return pattern === undefined || patterns.includes(pattern as Pattern)
    ? undefined
    : `${service}:${action} cannot be waited for with .${pattern}.`
}
