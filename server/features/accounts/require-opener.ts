import { AppError } from '../../core/errors'
import type { UserRecord } from '../../data/records/account-records'

/** Throws `in_use` where nothing would open an account any more. `ways`: those that are left. */
export function requireOpener(user: UserRecord | undefined, ways: readonly unknown[]): void {
  if (user?.isPasswordless !== true || ways.length > 0) return
  throw new AppError('in_use', 'Nothing else opens your account. Set a password first')
}
