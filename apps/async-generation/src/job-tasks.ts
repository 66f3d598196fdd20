import * as tasks from '@stepwright/progress/tasks'
import { asDesigned } from './errors.ts'

// The handlers of the package, as the state machine calls them.

export const updateProcessingState = /* @__PURE__ */ asDesigned(tasks.updateStatus)
