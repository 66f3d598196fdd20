// For what speaks PostgreSQL's protocol itself on connections of pg's.
export { cancelOnServer, socketOf } from './cancel.ts'
export { isLost, toConnectionError, toExchangeError } from './connection-error.ts'
