import type { ApiRoutes } from './context.ts'

const maxJobs = 500

export const jobRoutes: ApiRoutes = {
  'GET /api/jobs': async (_, { inspections }) => {
    const stores = await inspections.open('jobs')
    const lists = await Promise.all(stores.map(store => store.list(maxJobs)))
    return { jobs: lists.flat() }
  },
}
