import { workflowPolicy } from '@stepwright/policy'
import { expect, it } from 'vitest'

const definition = {
  StartAt: 'Import',
  States: {
    Import: {
      Type: 'Task',
      Resource: 'arn:aws:states:::glue:startJobRun.sync',
      Parameters: { JobName: 'import' },
      End: true,
    },
  },
}

it('allows what the definition needs, and no more', () => {
  const { document, notes } = workflowPolicy(definition)
  expect(document.Statement).toEqual([
    {
      Sid: 'RunGlueJobs',
      Effect: 'Allow',
      Action: ['glue:BatchStopJobRun', 'glue:GetJobRun', 'glue:GetJobRuns', 'glue:StartJobRun'],
      Resource: [`arn:\${AWS::Partition}:glue:\${AWS::Region}:\${AWS::AccountId}:job/import`],
    },
  ])
  expect(notes).toEqual([])
})
