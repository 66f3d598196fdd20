import type { App } from '@stepwright/app'
import { app } from '../app.ts'

const { SendBatch } = app.functions

/** The app, allowed to send as fast as a test can wait for. */
export default {
  ...app,
  functions: {
    ...app.functions,
    SendBatch: { ...SendBatch, environment: { ...SendBatch?.environment, MAX_SEND_RATE: 1000 } },
  },
} as App
