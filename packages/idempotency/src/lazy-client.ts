/** What gives the client: made by the given function when it is first needed, and once. */
export function lazily<Client extends object>(client: Client | (() => Client)): () => Client {
  if (typeof client !== 'function') return () => client
  let made: Client | undefined
  return () => {
    made ??= client()
    return made
  }
}
