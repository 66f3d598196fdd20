import { lambda } from '@stepwright/app/functions'
import { greet } from './greet.ts'

/** A task and its bindings: ${Greet} in greeting.asl.json. */
export const Greet = lambda(greet, {})
