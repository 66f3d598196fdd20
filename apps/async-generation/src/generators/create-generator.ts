import type { Generator } from '../generator.ts'

/** The generator of a model; `local` writes texts without one, as a script in JSON says. */
export async function createGenerator({
  modelId,
  script,
}: {
  readonly modelId: string
  readonly script: string | undefined
}): Promise<Generator> {
  if (modelId === 'local') {
    const { createLocalGenerator, localScript } = await import('./local.ts')
    return createLocalGenerator(script === undefined ? {} : { script: localScript.parse(JSON.parse(script)) })
  }
  const { createBedrockClient, createBedrockGenerator } = await import('./bedrock.ts')
  return createBedrockGenerator({ client: createBedrockClient(), modelId })
}
