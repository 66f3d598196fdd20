import { handler } from '../handlers.ts'

/** One Lambda environment: a process that takes one event at a time. */
process.on('message', async ({ event, context }: { event: never; context: { remainingMs: number } }) => {
  const end = Date.now() + context.remainingMs
  const answer = await handler(event, {
    ...context,
    getRemainingTimeInMillis: () => Math.max(0, end - Date.now()),
  } as never).then(
    result => ({ result }),
    (error: Error) => ({ error: { name: error.name, message: error.message } }),
  )
  process.send?.(answer)
})
process.on('disconnect', () => process.exit())
