import { CreateStateMachineCommand, SFNClient, StartSyncExecutionCommand } from '@aws-sdk/client-sfn'
import { startStepFunctions } from '@stepwright/local-step-functions'

await using stepFunctions = await startStepFunctions({
  functions: { greet: (event: { name: string }) => `hello ${event.name}` },
})
const client = new SFNClient(stepFunctions.clientConfig)
const { stateMachineArn } = await client.send(
  new CreateStateMachineCommand({
    name: 'greeting',
    type: 'EXPRESS',
    roleArn: 'arn:aws:iam::000000000000:role/any',
    definition: JSON.stringify({
      StartAt: 'Greet',
      States: {
        Greet: {
          Type: 'Task',
          Resource: 'arn:aws:lambda:us-east-1:000000000000:function:greet',
          End: true,
        },
      },
    }),
  }),
)
const { status, output } = await client.send(
  new StartSyncExecutionCommand({ stateMachineArn, input: '{ "name": "Ada" }' }),
)
client.destroy()
export const greeting: string = `${status} ${output}` // SUCCEEDED "hello Ada"
