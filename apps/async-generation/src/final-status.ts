const finals: readonly unknown[] = ['COMPLETED', 'FAILED', 'TIMEOUT', 'CANCELLED']

/** Whether a process has come to its end. */
export function isFinal({ status }: { readonly status?: unknown }): boolean {
  return finals.includes(status)
}
