import { DAY_MS } from '../../core/clock'
import { createHmac, randomBytes } from 'node:crypto'
import type { Context } from 'koa'
import { hashOfToken } from '../../access/link-token'
import { isSameSecret } from '../../access/same-secret'
import { AppError } from '../../core/errors'
import { remoteOf } from '../../http/pipeline/remote'
import type { TesterRecord } from '../../data/records/project-records'
import { programKey, splitToken } from './program-key'

const COOKIE = 'slipway.tester'
/** How long a browser stays unlocked, in ms. */
const COOKIE_MS = 30 * DAY_MS

type Check = (attempt: {
  name: string
  password: string
  phc: string
  address: string
}) => Promise<boolean>

type Locked = TesterRecord & { passwordHash: string }

/**
 * Checks the passwords of tester links. People get a cookie; programs have a key in their
 * addresses, or send HTTP Basic (RFC 7617) with any user name.
 */
export class LinkPasswords {
  /**
   * The right password of each link as a keyed digest, so that a program's next requests need no
   * slow hash.
   */
  readonly #known = new Map<string, { passwordHash: string; digest: string }>()
  readonly #secret = randomBytes(32)

  constructor(private readonly check: Check) {}

  /**
   * Throws `bad_credentials`, `too_many_requests` or `busy` if the request does not prove the
   * link's password.
   */
  async require(ctx: Context, tester: TesterRecord, token: string): Promise<void> {
    if (!hasPassword(tester) || hasKey(token, tester) || isProved(ctx, tester)) return

    const password = basicPassword(ctx)
    if (password !== undefined && (await this.#isRight(ctx, tester, password))) return

    const words = password === undefined ? 'This link needs its password' : 'Wrong password'
    const challenge = { 'WWW-Authenticate': 'Basic realm="Tester link", charset="UTF-8"' }
    throw new AppError(
      'bad_credentials',
      `${words}. Enter it on the page of the link`,
      undefined,
      challenge,
    )
  }

  /** Sets the cookie for the addresses of the link. Throws like `require`, for a wrong password. */
  async unlock(ctx: Context, tester: TesterRecord, token: string, password: string): Promise<void> {
    if (!hasPassword(tester)) return

    if (!(await this.#isRight(ctx, tester, password))) {
      throw new AppError('bad_credentials', 'Wrong password', 'password')
    }

    ctx.cookies.secure = remoteOf(ctx).protocol === 'https'

    const only = {
      path: `/t/${encodeURIComponent(token)}`,
      httpOnly: true,
      sameSite: 'lax',
      signed: true,
    } as const

    ctx.cookies.set(COOKIE, proofOf(tester), { ...only, maxAge: COOKIE_MS })
  }

  async #isRight(ctx: Context, tester: Locked, password: string): Promise<boolean> {
    const { id, passwordHash } = tester
    const digest = createHmac('sha256', this.#secret).update(password).digest('base64url')

    const cached = this.#known.get(id)
    if (cached?.passwordHash === passwordHash && isSameSecret(digest, cached.digest)) return true

    const { address } = remoteOf(ctx)
    const isRight = await this.check({
      name: `tester link ${id}`,
      password,
      phc: passwordHash,
      address,
    })

    if (isRight) this.#known.set(id, { passwordHash, digest })
    return isRight
  }
}

const hasPassword = (tester: TesterRecord): tester is Locked => tester.passwordHash !== null

/**
 * The value of the cookie. It depends on the password hash, so that a new password invalidates it.
 * The cookie's signature proves that the server set it.
 */
const proofOf = ({ id, passwordHash }: Locked) => `${id}.${hashOfToken(passwordHash)}`

function hasKey(segment: string, { passwordHash }: Locked): boolean {
  const { token, key } = splitToken(segment)
  return key !== undefined && isSameSecret(key, programKey(token, passwordHash))
}

function isProved(ctx: Context, tester: Locked): boolean {
  if (!ctx.get('cookie').includes(COOKIE)) return false
  const proof = ctx.cookies.get(COOKIE, { signed: true })
  return proof !== undefined && isSameSecret(proof, proofOf(tester))
}

function basicPassword(ctx: Context): string | undefined {
  const [, encoded] = /^basic +([\w+/=-]{1,1000})$/i.exec(ctx.get('authorization')) ?? []
  if (encoded === undefined) return undefined
  const text = Buffer.from(encoded, 'base64').toString()
  return text.slice(text.indexOf(':') + 1)
}
