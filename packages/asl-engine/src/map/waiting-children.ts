/** A child of a Map run that waits for something. */
export interface WaitingChild {
  readonly startMs: number
  readonly index: number
  readonly interrupt: () => void
  /** Ends it because it has taken too long. */
  readonly expire: () => void
}

/** Where a worker leaves its child while that waits. */
export interface Post {
  child: WaitingChild | undefined
}

/**
 * The children of a Map run that wait. Each worker has a place for one: a Set to which a million children are added and taken
 * from again leaves a hundred bytes of garbage for each in the old generation of the heap.
 */
export class WaitingChildren {
  readonly #posts = new Set<Post>()

  open(): Post {
    const post: Post = { child: undefined }
    this.#posts.add(post)
    return post
  }

  close(post: Post): void {
    this.#posts.delete(post)
  }

  /** The one that began first. */
  oldest(): WaitingChild | undefined {
    return this.#oldestPost()?.child
  }

  interruptAll(): void {
    for (const child of this.#takeWhile(() => true)) child.interrupt()
  }

  /** Ends those that began at that time or before it, the oldest first. */
  expireUntil(startMs: number): void {
    for (const child of this.#takeWhile(child => child.startMs <= startMs)) child.expire()
  }

  *#takeWhile(isTaken: (child: WaitingChild) => boolean): Generator<WaitingChild> {
    for (let post = this.#oldestPost(); post?.child !== undefined; post = this.#oldestPost()) {
      const { child } = post
      if (!isTaken(child)) return
      post.child = undefined
      yield child
    }
  }

  #oldestPost(): Post | undefined {
    let oldest: Post | undefined
    for (const post of this.#posts) if (isOlder(post.child, oldest?.child)) oldest = post
    return oldest
  }
}

function isOlder(child: WaitingChild | undefined, other: WaitingChild | undefined): boolean {
  if (child === undefined || other === undefined) return child !== undefined
  return child.startMs < other.startMs || (child.startMs === other.startMs && child.index < other.index)
}
