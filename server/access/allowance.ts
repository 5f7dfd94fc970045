import { AppError } from '../core/errors'
import type { Limits } from '../data/settings/settings-schema'

/** What is counted, by the setting that limits it, as people call it. */
const WORDS = {
  projectsPerAccount: 'projects',
  postsPerAccount: 'posts',
  apiKeysPerAccount: 'API keys',
  unfinishedUploadsPerAccount: 'unfinished uploads',
} as const

interface Needs {
  settings: { get(): { readonly limits: Limits } }
  /** Whether so many bytes more fit into the quota of a user. */
  fits(userId: string, more: number): boolean
}

/** What one account may add. Asked in the transaction that adds it, so that requests at once cannot exceed it together. */
export class Allowance {
  constructor(private readonly needs: Needs) {}

  /** Throws `too_many_records` where an account that has `count` of them may not have `more`. */
  records(limit: keyof typeof WORDS, count: number, more = 1): void {
    const most = this.needs.settings.get().limits[limit]
    if (more === 0 || count + more <= most) return
    const words = WORDS[limit]
    throw new AppError(
      'too_many_records',
      `You have ${count} ${words}, and this host allows ${most} for each account. Delete ${words} that you no longer need, or ask the host for a higher limit`,
    )
  }

  /** Throws `quota_exceeded` where text that has grown by so many bytes does not fit. Shorter text always does. */
  text(userId: string, more: number): void {
    if (more <= 0 || this.needs.fits(userId, more)) return
    throw new AppError(
      'quota_exceeded',
      'Storage quota exceeded: this text does not fit. Delete files or posts, or ask the host for a larger tier',
    )
  }
}
