/** Imported lazily: a bundler keeps only what is named here. */
export { SFNClient } from '@aws-sdk/client-sfn'
