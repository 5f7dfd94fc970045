import { toNetwork } from '../../core/net/ip-address'
import type { Passwords } from './passwords'
import type { SignInThrottle } from './sign-in-throttle'

interface Attempt {
  /** The subject of the password: the name of an account, or a tester link. */
  name: string
  password: string
  /** Undefined if there is no account; the check takes equally long. */
  phc: string | undefined
  address: string
}

/**
 * Returns a function that checks a password. Counts as a sign-in attempt: throws
 * `too_many_requests` and `busy`.
 */
export const passwordCheck =
  (throttle: SignInThrottle, passwords: Passwords) =>
  async ({ name, password, phc, address }: Attempt): Promise<boolean> => {
    const attempt = await throttle.attempt(name, address)
    const isRight = await passwords
      .verify(password, phc, toNetwork(address))
      .catch(async (cause: unknown) => {
        await attempt.takeBack()
        throw cause
      })
    if (isRight) await attempt.succeeded()
    return isRight
  }
