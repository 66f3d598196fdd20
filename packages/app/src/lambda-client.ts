/** Imported lazily: a bundler keeps only what is named here. */
export { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda'
