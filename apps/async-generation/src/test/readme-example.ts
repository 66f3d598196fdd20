import { app } from '@stepwright/async-generation'
import { createGenerationClient } from '@stepwright/async-generation/client'
import { startApp } from '@stepwright/local-cloud'

export async function breakDown(goal: string, onProgress: (percent: number) => void) {
  await using running = await startApp(app)
  const endpoint = `${running.gateway?.endpoint}`
  const token = `${running.gateway?.issueToken({ sub: 'ann' })}`
  const api = createGenerationClient({ endpoint, token })

  const { data } = await api.generate('SUBGOAL_GENERATION', { goal, language: 'en' }) // 202, PENDING
  const { result } = await api.ended(data.processId) // { goal, language, subgoals: [8] }
  const next = await api.generate('ACTION_GENERATION', result)
  for await (const { event, data: seen } of api.events(next.data.processId)) {
    if (event === 'part') onProgress(Number(seen['progress'])) // 12, 25, 37 … as each is there
  }
  return (await api.status(next.data.processId)).data // COMPLETED, 100, { goal, plan: [8 × 8] }
}
