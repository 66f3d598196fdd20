import type { Generator } from '../generator.ts'

export interface GeneratorSettings {
  /** `local` writes texts without a model. */
  readonly modelId: string
  /** How the generator without a model behaves, in JSON. */
  readonly script: string | undefined
  readonly maxTokens: number | undefined
  readonly effort: string | undefined
  readonly guardrail: string | undefined
}

/** The generator of a model. */
export async function createGenerator({ script, ...model }: GeneratorSettings): Promise<Generator> {
  if (model.modelId === 'local') {
    const { createLocalGenerator, localScript } = await import('./local.ts')
    return createLocalGenerator(script === undefined ? {} : { script: localScript.parse(JSON.parse(script)) })
  }
  const { createBedrockClient, createBedrockGenerator } = await import('./bedrock.ts')
  return createBedrockGenerator({ ...model, client: createBedrockClient() })
}
