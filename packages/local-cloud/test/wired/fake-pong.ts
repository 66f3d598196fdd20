import * as deployed from './functions.ts'

export const Pong = deployed.Pong.with({ me: 'fake' }, process.env)
