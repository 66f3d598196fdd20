import type { StateMachine } from '@stepwright/asl'
import { createMemoryObjects } from '@stepwright/asl-engine'
import { runWorkflow } from '@stepwright/asl-engine/testing'

const definition: StateMachine = {
  StartAt: 'EachRow',
  States: {
    EachRow: {
      Type: 'Map',
      ItemReader: {
        Resource: 'arn:aws:states:::s3:getObject',
        ReaderConfig: { InputType: 'CSV', CSVHeaderLocation: 'FIRST_ROW' },
        Parameters: { Bucket: 'files', Key: 'contacts.csv' },
      },
      ItemProcessor: {
        ProcessorConfig: { Mode: 'DISTRIBUTED', ExecutionType: 'STANDARD' },
        StartAt: 'Keep',
        States: { Keep: { Type: 'Pass', End: true } },
      },
      End: true,
    },
  },
}

export const run = await runWorkflow(definition, {
  tasks: {},
  engine: {
    objects: createMemoryObjects([
      { bucket: 'files', key: 'contacts.csv', body: 'email\nann@example.com\n' },
    ]),
  },
})
// run.output: [{ email: 'ann@example.com' }]
