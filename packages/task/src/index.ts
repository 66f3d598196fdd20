export { x } from '@stepwright/errors'
