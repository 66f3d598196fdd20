export { SFNClient } from '@aws-sdk/client-sfn'
