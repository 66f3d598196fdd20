import { PassThrough } from 'node:stream'
import { stripVTControlCharacters } from 'node:util'
import { expect, it } from 'vitest'
import { createPrompt } from './prompt.ts'

function createTerminal() {
  const input = new PassThrough()
  const output = new PassThrough()
  let shown = ''
  output.on('data', bytes => {
    shown += String(bytes)
  })
  let abandoned = 0
  const prompt = createPrompt({
    input,
    output,
    onAbandoned: () => {
      abandoned += 1
    },
  })
  return { input, prompt, shown: () => stripVTControlCharacters(shown), abandoned: () => abandoned }
}

it('asks one question after the other, and shows each letter once', async () => {
  const { input, prompt, shown, abandoned } = createTerminal()
  const answers: string[] = []
  for (const typed of ['shop\r', '\r', 'cdk\r']) {
    const asked = prompt.ask('What', 'nothing')
    input.write(typed)
    answers.push(await asked)
  }
  prompt.close()
  expect(answers).toEqual(['shop', 'nothing', 'cdk'])
  expect(shown().match(/shop|cdk/g)).toEqual(['shop', 'cdk'])
  expect(abandoned()).toBe(0)
})

it('is abandoned by Ctrl-C and Ctrl-D', async () => {
  for (const key of ['\u0003', '\u0004']) {
    const { input, prompt, abandoned } = createTerminal()
    void prompt.ask('What', 'nothing').catch(() => {})
    input.write(key)
    await expect.poll(abandoned).toBe(1)
  }
})
