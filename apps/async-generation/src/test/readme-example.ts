import { app } from '@stepwright/async-generation'
import { breakDown, createGenerationClient, type ProcessView } from '@stepwright/async-generation/client'
import { startApp } from '@stepwright/local-cloud'

export async function showGoal(goal: string, print: (line: string) => void): Promise<ProcessView> {
  await using running = await startApp(app)
  const endpoint = `${running.gateway?.endpoint}`
  const token = `${running.gateway?.issueToken({ sub: 'ann' })}`
  const client = createGenerationClient({ endpoint, token })

  // POST generate, 202; then the stream of events, which tells of each part while others are being made.
  return await breakDown(client, goal, (progress, [first]) => print(`${progress} %  ${first}, …`))
}
