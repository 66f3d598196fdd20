import { bucket, configurationSet, database, secret, workflow } from '@stepwright/app/bindings'

export const files = bucket('campaigns', {
  expiry: [
    { prefix: 'uploads/', days: 30 },
    { prefix: 'chunks/', days: 30 },
  ],
  corsOrigins: ['*'], // a presigned URL is all that a page needs
})
export const mails = configurationSet('campaigns')
export const unsubscribeKeys = secret('unsubscribeKeys', {
  description: 'Seals the tokens of unsubscription: 32 bytes in base64, several separated by commas.',
  localValue: Buffer.alloc(32, 'campaign-import').toString('base64'),
})
export const db = database()
export const importing = workflow('import')
export const sending = workflow('send')
