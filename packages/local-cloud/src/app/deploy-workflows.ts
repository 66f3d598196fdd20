import { readFile } from 'node:fs/promises'
import {
  CreateStateMachineCommand,
  ListStateMachinesCommand,
  type SFNClient,
  UpdateStateMachineCommand,
} from '@aws-sdk/client-sfn'
import { type App, type Places, physicalNames, resolveSubstitutions } from '@stepwright/app'
import { substitute } from '@stepwright/asl/expressions'

/** Creates the app's state machines, or brings them up to date, from the files that are deployed. */
export async function deployWorkflows(
  app: App,
  client: SFNClient,
  places: Places,
  definitions: Readonly<Record<string, object>>,
): Promise<void> {
  const names = physicalNames(app).workflows
  const { stateMachines = [] } = await client.send(new ListStateMachinesCommand({ maxResults: 1000 }))
  const existing = new Set(stateMachines.map(({ name }) => name))
  for (const [key, { definition: file, type = 'STANDARD' }] of Object.entries(app.workflows ?? {})) {
    const other = definitions[key]
    const text = other ? JSON.stringify(other) : await readFile(new URL(file, app.root), 'utf8')
    const definition = substitute(text, resolveSubstitutions(app, key, places))
    const name = names[key]
    if (existing.has(name)) {
      await client.send(
        new UpdateStateMachineCommand({ stateMachineArn: places.workflowArn(key), definition }),
      )
    } else {
      const roleArn = 'arn:aws:iam::000000000000:role/local'
      await client.send(new CreateStateMachineCommand({ name, definition, type, roleArn }))
    }
  }
}
