import { arnOf } from '../../arn.ts'
import { allow, type Statement } from '../../statement.ts'
import { type Call, pascal, waits } from '../call.ts'
import { hearOf, passRole } from '../event-rules.ts'
import { modelArn } from '../model-arn.ts'

export function bedrock(call: Call): readonly Statement[] {
  if (call.action === 'invokeModel')
    return [allow('InvokeModels', ['bedrock:InvokeModel'], [modelArn(call.text('ModelId'))])]
  const jobs = arnOf('bedrock', 'model-customization-job/*')
  return [
    allow(
      'CustomizeModels',
      ['bedrock:CreateModelCustomizationJob'],
      [modelArn(call.text('BaseModelIdentifier')), arnOf('bedrock', 'custom-model/*'), jobs],
    ),
    ...(waits(call)
      ? [
          allow(
            'FollowModelJobs',
            ['bedrock:GetModelCustomizationJob', 'bedrock:StopModelCustomizationJob'],
            [jobs],
          ),
        ]
      : []),
    ...passRole(call.text('RoleArn'), 'bedrock.amazonaws.com'),
  ]
}

export function sagemaker(call: Call): readonly Statement[] {
  const jobs: Readonly<
    Record<string, readonly [kind: string, resource: string, name: string, rule: string]>
  > = {
    createTrainingJob: [
      'TrainingJob',
      'training-job',
      'TrainingJobName',
      'StepFunctionsGetEventsForSageMakerTrainingJobsRule',
    ],
    createTransformJob: [
      'TransformJob',
      'transform-job',
      'TransformJobName',
      'StepFunctionsGetEventsForSageMakerTransformJobsRule',
    ],
    createProcessingJob: [
      'ProcessingJob',
      'processing-job',
      'ProcessingJobName',
      'StepFunctionsGetEventsForSageMakerProcessingJobsRule',
    ],
    createLabelingJob: [
      'LabelingJob',
      'labeling-job',
      'LabelingJobName',
      'StepFunctionsGetEventsForSageMakerLabelingJobsRule',
    ],
    createHyperParameterTuningJob: [
      'HyperParameterTuningJob',
      'hyper-parameter-tuning-job',
      'HyperParameterTuningJobName',
      'StepFunctionsGetEventsForSageMakerTuningJobsRule',
    ],
  }
  const job = jobs[call.action]
  const role = passRole(call.text('RoleArn') ?? call.text('ExecutionRoleArn'), 'sagemaker.amazonaws.com')
  if (job === undefined) {
    const kind = call.action.replace(/^(create|update)/, '')
    const name = call.text(`${kind}Name`) ?? '*'
    const resource = kind.replaceAll(/(?<=[a-z])[A-Z]/g, letter => `-${letter}`).toLowerCase()
    return [
      allow('UseModels', [`sagemaker:${pascal(call.action)}`], [arnOf('sagemaker', `${resource}/${name}`)]),
      ...role,
    ]
  }
  const [kind, resource, field, rule] = job
  const name = call.text(field) ?? '*'
  const arn = arnOf('sagemaker', `${resource}/${name.endsWith('*') ? name : `${name}*`}`)
  const follow = waits(call) ? [`sagemaker:Describe${kind}`, `sagemaker:Stop${kind}`] : []
  return [
    allow('RunJobs', [`sagemaker:Create${kind}`, ...follow], [arn]),
    allow('ReadTags', ['sagemaker:ListTags'], ['*']),
    ...role,
    ...(waits(call) ? [hearOf(rule)] : []),
  ]
}
