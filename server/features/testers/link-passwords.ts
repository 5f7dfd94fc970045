import { createHmac, randomBytes } from 'node:crypto'
import type { Context } from 'koa'
import { hashOfToken } from '../../access/link-token'
import { isSameSecret } from '../../access/same-secret'
import { DAY_MS } from '../../core/clock'
import { AppError } from '../../core/errors'
import { remoteOf } from '../../http/pipeline/remote'
import { programKey, splitToken } from './program-key'

const COOKIE = 'slipway.tester'
/** How long a browser stays unlocked, in ms. */
const COOKIE_MS = 30 * DAY_MS

type Check = (attempt: {
  name: string
  password: string
  phc: string | undefined
  address: string
}) => Promise<boolean>

/** A link that may have a password. A link that does not exist has an undefined one. */
interface Link {
  id: string
  passwordHash: string | null | undefined
}

type Locked = Link & { passwordHash: string }

/**
 * Checks the passwords of all access links. People get a cookie; programs have a key in
 * their addresses, or send HTTP Basic (RFC 7617) with any user name.
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
  async require(ctx: Context, tester: Link, token: string): Promise<void> {
    if (hasPassword(tester) && hasKey(token, tester)) return
    if (await this.isProved(ctx, tester)) return

    const words =
      basicPassword(ctx) === undefined ? 'This link needs its password' : 'Wrong password'
    const challenge = { 'WWW-Authenticate': 'Basic realm="Tester link", charset="UTF-8"' }
    throw new AppError(
      'bad_credentials',
      `${words}. Enter it on the page of the link`,
      undefined,
      challenge,
    )
  }

  /**
   * Whether a request proves the password, by a cookie or HTTP Basic; false for a link that does
   * not exist, after the same time. Throws `too_many_requests` and `busy`.
   */
  async isProved(ctx: Context, link: Link): Promise<boolean> {
    if (link.passwordHash === null || (hasPassword(link) && hasCookie(ctx, link))) return true
    const password = basicPassword(ctx)
    return password !== undefined && (await this.#isRight(ctx, link, password))
  }

  /**
   * Sets the cookie for the path of the link. Returns false for a wrong password, and alike for a
   * link that does not exist. Throws `too_many_requests` and `busy`.
   */
  async unlock(ctx: Context, link: Link, path: string, password: string): Promise<boolean> {
    if (link.passwordHash === null) return true
    const isRight = await this.#isRight(ctx, link, password)
    if (!isRight || !hasPassword(link)) return false

    ctx.cookies.secure = remoteOf(ctx).protocol === 'https'

    const only = { path, httpOnly: true, sameSite: 'lax', signed: true } as const
    ctx.cookies.set(COOKIE, proofOf(link), { ...only, maxAge: COOKIE_MS })
    return true
  }

  async #isRight(ctx: Context, { id, passwordHash }: Link, password: string): Promise<boolean> {
    const digest = createHmac('sha256', this.#secret).update(password).digest('base64url')

    const cached = this.#known.get(id)
    if (cached && cached.passwordHash === passwordHash && isSameSecret(digest, cached.digest))
      return true

    const { address } = remoteOf(ctx)
    const isRight = await this.check({
      name: `link ${id}`,
      password,
      phc: passwordHash ?? undefined,
      address,
    })

    if (isRight && passwordHash != null) this.#known.set(id, { passwordHash, digest })
    return isRight
  }
}

const hasPassword = (link: Link): link is Locked => typeof link.passwordHash === 'string'

/**
 * The value of the cookie. It depends on the password hash, so that a new password invalidates it.
 * The cookie's signature proves that the server set it.
 */
const proofOf = ({ id, passwordHash }: Locked) => `${id}.${hashOfToken(passwordHash)}`

function hasKey(segment: string, { passwordHash }: Locked): boolean {
  const { token, key } = splitToken(segment)
  return key !== undefined && isSameSecret(key, programKey(token, passwordHash))
}

function hasCookie(ctx: Context, link: Locked): boolean {
  if (!ctx.get('cookie').includes(COOKIE)) return false
  const proof = ctx.cookies.get(COOKIE, { signed: true })
  return proof !== undefined && isSameSecret(proof, proofOf(link))
}

function basicPassword(ctx: Context): string | undefined {
  const [, encoded] = /^basic +([\w+/=-]{1,1000})$/i.exec(ctx.get('authorization')) ?? []
  if (encoded === undefined) return undefined
  const text = Buffer.from(encoded, 'base64').toString()
  return text.slice(text.indexOf(':') + 1)
}
