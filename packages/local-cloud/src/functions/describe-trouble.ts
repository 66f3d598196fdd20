import type { TaskTrouble } from './protocol.ts'

const maxCauses = 5
const maxFrames = 4

/** A failure with its causes and the frames that are the app's own, for the developer's terminal. */
export function describeTrouble(task: string, thrown: unknown): TaskTrouble {
  const chain = causesOf(thrown)
  const frames = chain.map(({ stack = '' }) => ownFrames(stack)).filter(found => found.length > 0)
  return {
    task,
    errors: chain.map(({ name, message, details }) => ({
      name,
      message,
      ...(details !== undefined && { details }),
    })),
    // Of the innermost error: where it began.
    frames: frames.at(-1) ?? [],
  }
}

type Failure = Error & { readonly details?: unknown }

function causesOf(thrown: unknown): readonly Failure[] {
  const chain: Failure[] = []
  for (let error = thrown; error instanceof Error && chain.length < maxCauses; error = error.cause) {
    if (chain.includes(error)) break
    chain.push(error)
  }
  return chain
}

/** Neither Node's nor those of packages. */
function ownFrames(stack: string): readonly string[] {
  return stack
    .split('\n')
    .filter(line => /^\s+at /.test(line) && !/node:|[\\/]node_modules[\\/]/.test(line))
    .slice(0, maxFrames)
    .map(line => line.trim().replace('file://', ''))
}
