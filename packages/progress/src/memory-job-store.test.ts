import { createMemoryJobStore } from './memory-job-store.ts'
import { testJobStore } from './testing.ts'

testJobStore('createMemoryJobStore', async now => ({ store: createMemoryJobStore({ now }) }))
