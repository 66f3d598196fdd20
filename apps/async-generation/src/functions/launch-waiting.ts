import { lambda } from '@stepwright/app/functions'
import { launchWaiting } from '@stepwright/progress/tasks'
import { launchPorts } from './bindings.ts'

export const LaunchWaiting = lambda(launchWaiting, launchPorts, { timeoutSeconds: 25 })
