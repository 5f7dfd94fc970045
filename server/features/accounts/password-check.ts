import { requireProof } from '../../access/admit'
import { AppError } from '../../core/errors'
import { toNetwork } from '../../core/net/ip-address'
import type { UserRecord } from '../../data/records/account-records'
import type { Caller } from '../../http/endpoint/call'
import type { Passwords } from './passwords'
import type { SignInThrottle } from './sign-in-throttle'

/** How many passwords count as common, the most used first. */
const COMMON = 10_000

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

/**
 * Returns a function that throws `bad_credentials` for another password than that of the account,
 * and what the check throws.
 */
export const requiringPassword =
  (isPassword: ReturnType<typeof passwordCheck>) =>
  async (
    { username: name, passwordHash: phc }: UserRecord,
    password: string,
    address: string,
  ): Promise<void> => {
    if (await isPassword({ name, password, phc, address })) return
    throw new AppError('bad_credentials', 'That is not your current password', 'current_password')
  }

/**
 * Returns a function that throws unless the caller is the person of an account, by its password. An
 * account without one takes a proof instead: throws `proof_needed`.
 */
export const requiringPerson =
  (requirePassword: ReturnType<typeof requiringPassword>) =>
  async (
    user: UserRecord,
    password: string | undefined,
    { address, isProved }: Pick<Caller, 'address' | 'isProved'>,
  ): Promise<void> => {
    if (user.isPasswordless === true) requireProof(isProved('always'))
    else await requirePassword(user, password ?? '', address)
  }

/** Loads the list on demand: it is 400 kB, and few people set the password of the host account. */
async function loadCommon(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  return new Set(dictionary['passwords-common'].slice(0, COMMON))
}

/** Throws `invalid_input` for one of the most common passwords, in any case. */
export async function requireUncommon(
  password: string,
  field: 'password' | 'new_password',
): Promise<void> {
  if (!(await loadCommon()).has(password.toLowerCase())) return
  throw new AppError(
    'invalid_input',
    'This is one of the 10,000 most common passwords. Choose another one: this account manages ' +
      'the host',
    field,
  )
}
