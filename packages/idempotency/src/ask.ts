import { IdempotencyStoreError } from './errors.ts'
import type { Acquired, Claim, IdempotencyStore, KeyState } from './idempotency-store.ts'
import type { OnTrouble } from './lease.ts'
import { describeTrouble } from './settle.ts'

/** @throws IdempotencyStoreError when the store cannot be asked */
export async function ask(
  { store, onTrouble }: { readonly store: IdempotencyStore; readonly onTrouble: OnTrouble },
  claim: Claim,
): Promise<Acquired | KeyState> {
  try {
    return await store.acquire(claim)
  } catch (cause) {
    // Perhaps only the answer got lost; then nobody would end this lock before its time.
    await store.release(claim).catch(error => onTrouble(`releasing the lock on ${claim.key}`, error))
    throw new IdempotencyStoreError(`could not lock ${claim.key}: ${describeTrouble(cause)}`, { cause })
  }
}
