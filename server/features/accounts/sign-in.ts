import type { Context } from 'koa'
import type { Rooms } from '../../compose/context'
import { AppError } from '../../core/errors'
import { networkOf } from '../../core/ip-address'
import type { UserRecord } from './user-store'

/** Starts a session. Throws `bad_credentials` if the password or the account changed during the check. */
export async function beginSession({ accounts }: Rooms<'accounts'>, ctx: Context, user: UserRecord): Promise<void> {
  const { users, sessions } = accounts
  await sessions.start(ctx, user.id)
  if (users.find(user.id)?.passwordHash === user.passwordHash && users.isActive(user.id)) return
  sessions.end(ctx)
  throw new AppError('bad_credentials', 'The account changed during this request: sign in again')
}

interface Attempt {
  name: string
  password: string
  /** Undefined without an account; the check takes equally long. */
  phc: string | undefined
  address: string
}

/** Whether the password is right. Counts as a sign-in attempt. */
export async function isPassword({ accounts }: Rooms<'accounts'>, { name, password, phc, address }: Attempt) {
  const attempt = await accounts.signInThrottle.attempt(name, address)
  const isRight = await accounts.passwords.verify(password, phc, networkOf(address)).catch(async (cause: unknown) => {
    await attempt.takeBack()
    throw cause
  })
  if (isRight) await attempt.succeeded()
  return isRight
}
