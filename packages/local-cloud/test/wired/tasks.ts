import { defineBusinessError } from '@stepwright/errors'
import { defineTask, type Task } from '@stepwright/task'
import * as z from 'zod'

export class GiveUp extends defineBusinessError('GiveUp') {}

interface Ball {
  readonly times: number
  readonly lost?: boolean | undefined
}
interface HitPorts {
  readonly me: string
  readonly other: (ball: Ball) => Promise<{ path: string }>
}

/** Hits the ball back until `times` is 0; the last one gives up a ball that is lost. */
export const hit: Task<Ball, { path: string }, HitPorts> = defineTask({
  name: 'hit',
  input: z.object({ times: z.int(), lost: z.optional(z.boolean()) }),
  output: z.object({ path: z.string() }),
  errors: [GiveUp],
  async run({ times, lost }, { me, other }: HitPorts) {
    if (times === 0 && lost) throw new GiveUp('no ball', { details: { me } })
    return { path: times === 0 ? me : `${me} ${(await other({ times: times - 1, lost })).path}` }
  },
})

/** Has a bug whose message quotes what it was given. */
export const stumble: Task<{ readonly email: string }, null, Record<never, never>> = defineTask({
  name: 'stumble',
  input: z.object({ email: z.string() }),
  output: z.null(),
  errors: [],
  run({ email }): null {
    throw new TypeError(`${email} is not a function`)
  },
})

interface Count {
  readonly left: number
}
interface CountPorts {
  readonly start: (input: Count) => Promise<unknown>
}

/** A state that starts its own workflow with one less. */
export const countDown: Task<Count, Count, CountPorts> = defineTask({
  name: 'countDown',
  input: z.object({ left: z.int() }),
  output: z.object({ left: z.int() }),
  errors: [],
  async run({ left }, { start }: CountPorts) {
    if (left > 0) await start({ left: left - 1 })
    return { left }
  },
})

export const showLink: Task<unknown, { link: string }, { url: string }> = defineTask({
  name: 'showLink',
  input: z.unknown(),
  output: z.object({ link: z.string() }),
  errors: [],
  run: (_input, { url }: { url: string }) => ({ link: `${url}/link` }),
})
