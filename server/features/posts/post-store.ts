import type { Allowance } from '../../access/allowance'
import { AppError } from '../../core/errors'
import type { Collection, Index, Library, Transaction } from '../../data/library/library'
import type { Sources } from '../../core/clock'
import { contentBytes, type PostRecord } from '../../data/records/project-records'

/** The posts of projects. */
export class PostStore {
  readonly #posts: Collection<PostRecord>
  readonly #byProject: Index<PostRecord>
  readonly #written: { get(userId: string): number }

  constructor(
    private readonly library: Library,
    private readonly sources: Sources,
    private readonly allowance: Allowance,
  ) {
    this.#posts = library.collection('posts')
    this.#byProject = this.#posts.index((post) => post.projectId)

    this.#written = this.#posts.count((post) => post.authorId)
  }

  find(projectId: string, id: string): PostRecord | undefined {
    const post = this.#posts.get(id)
    return post?.projectId === projectId ? post : undefined
  }

  ofProject(projectId: string): PostRecord[] {
    return [...this.#byProject.get(projectId)].reverse()
  }

  /** Throws `too_many_records` if an account cannot have so many more. */
  requireRoom(userId: string, more: number): void {
    this.allowance.records('posts_per_account', this.#written.get(userId), more)
  }

  /** Throws `too_many_records` and `quota_exceeded`. */
  add(post: Pick<PostRecord, 'projectId' | 'authorId' | 'content'>): Promise<PostRecord> {
    const now = this.sources.now().toISOString()
    const record: PostRecord = { ...post, id: this.sources.newId(), createdAt: now, updatedAt: now }
    return this.library.transact((tx) => {
      this.requireRoom(record.authorId, 1)
      this.allowance.text(record.authorId, contentBytes(record))
      tx.put(this.#posts, record.id, record)
      return record
    })
  }

  /** Throws `not_found` and `quota_exceeded`. */
  update(id: string, content: string): Promise<PostRecord> {
    return this.library.transact((tx) => {
      const current = this.#posts.get(id)
      if (!current) throw new AppError('not_found', 'Post not found')
      const changed = { ...current, content, updatedAt: this.sources.now().toISOString() }
      this.allowance.text(current.authorId, contentBytes(changed) - contentBytes(current))
      tx.put(this.#posts, id, changed)
      return changed
    })
  }

  async remove(id: string): Promise<void> {
    await this.library.transact((tx) => tx.delete(this.#posts, id))
  }

  /** Deletes and returns the posts of a project, in the transaction that deletes the project. */
  forgetProject(tx: Transaction, projectId: string): PostRecord[] {
    const posts = [...this.#byProject.get(projectId)]
    for (const { id } of posts) tx.delete(this.#posts, id)
    return posts
  }

  /** Restores the posts of a project. Throws `too_many_records`. */
  putBack(tx: Transaction, posts: readonly PostRecord[]): void {
    for (const [userId, written] of Map.groupBy(posts, (post) => post.authorId))
      this.requireRoom(userId, written.length)
    for (const post of posts) tx.put(this.#posts, post.id, post)
  }
}
