import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { createMemoryMailer, createMemoryOutbox } from './test/memory-outbox.ts'
import { sendNews } from './test/readme-example.ts'

it('shows an example in the README that runs', async () => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8')
  const example = await readFile(new URL('./test/readme-example.ts', import.meta.url), 'utf8')
  expect(readme).toContain(`\`\`\`ts\n${example}\`\`\``)
  const { outbox } = createMemoryOutbox(['ann@example.com', 'bob@example.com'])
  const { mailer, messages } = createMemoryMailer()
  const named = {
    ...outbox,
    claim: async (after: string, limit: number) =>
      (await outbox.claim(after, limit)).map(({ email }) => ({ email, name: email.slice(0, 3) })),
  }
  expect(await sendNews(named, mailer, Buffer.alloc(32, 'k'))).toEqual({ kind: 'done' })
  expect(messages.map(({ subject }) => subject)).toEqual(['Hello ann', 'Hello bob'])
})
