import { AppError, notFound } from '../core/errors'
import type { SettingsData } from '../data/settings/settings-schema'

/** The limited records, as error messages name them. */
const WORDS = {
  projects_per_account: 'projects',
  posts_per_account: 'posts',
  api_keys_per_account: 'API keys',
  unfinished_uploads_per_account: 'unfinished uploads',
} as const

interface Deps {
  settings: { get(): Readonly<SettingsData> }
  fits(userId: string, more: number): boolean
  exists(userId: string): boolean
}

/**
 * Limits per account. Check in the transaction that adds, so that concurrent requests cannot exceed
 * them.
 */
export class Allowance {
  constructor(private readonly deps: Deps) {}

  /** Throws `too_many_records` if an account with `count` records may not add `more`. */
  records(limit: keyof typeof WORDS, count: number, more = 1): void {
    const most = this.deps.settings.get()[limit]
    if (more === 0 || count + more <= most) return
    const words = WORDS[limit]
    throw new AppError(
      'too_many_records',
      `You have ${count} ${words}, and this host allows ${most} for each account. Delete ` +
        `${words} that you no longer need, or ask the host for a higher limit`,
    )
  }

  /**
   * Throws `quota_exceeded` if a text that grew by `more` bytes does not fit. Shorter text always
   * fits. Throws `not_found` if the account was deleted during the request.
   */
  text(userId: string, more: number): void {
    if (more <= 0) return
    if (!this.deps.exists(userId)) throw notFound('User')
    if (this.deps.fits(userId, more)) return
    throw new AppError(
      'quota_exceeded',
      'Storage quota exceeded: this text does not fit. Delete files or posts, or ask the host ' +
        'for a larger tier',
    )
  }
}
