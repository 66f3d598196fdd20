import type { ChildRun } from './child-run.ts'

/**
 * The children of a Map run that wait for something, the oldest first. A chain, because a Set to which a million children
 * are added and taken from again leaves a hundred bytes of garbage for each in the old generation of the heap.
 */
export class WaitingChildren {
  #newest: ChildRun | undefined
  oldest: ChildRun | undefined

  add(child: ChildRun): void {
    child.older = this.#newest
    if (this.#newest === undefined) this.oldest = child
    else this.#newest.newer = child
    this.#newest = child
  }

  /** Takes it out, if it is in. */
  delete(child: ChildRun): void {
    const { older, newer } = child
    if (older === undefined && this.oldest !== child) return
    if (older === undefined) this.oldest = newer
    else older.newer = newer
    if (newer === undefined) this.#newest = older
    else newer.older = older
    child.older = undefined
    child.newer = undefined
  }

  interruptAll(): void {
    for (let child = this.oldest; child !== undefined; child = this.oldest) {
      this.delete(child)
      child.interrupt()
    }
  }
}
