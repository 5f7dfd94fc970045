import { createHash, randomBytes } from 'node:crypto'
import Keygrip from 'keygrip'
import type Koa from 'koa'
import type { Context, Middleware } from 'koa'
import session from 'koa-session'
import { remoteOf } from './remote'

const COOKIE = 'slipway.sid'
const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
/** A session that is not used for this long ends, in ms. */
const IDLE_MS = 14 * DAY
/** A session ends this long after sign-in, however much it is used, in ms. */
const LIFETIME_MS = 60 * DAY
/** `lastSeenAt` is written at most this often, in ms. */
const TOUCH_MS = 10 * MINUTE

/** A session as it is kept: its id only as a hash, so that a stolen library opens no session. */
export interface SessionRecord {
  /** SHA-256 of the id in the cookie, base64url. */
  id: string
  userId: string
  createdAt: string
  lastSeenAt: string
  /** Whether and how long it may manage the host. */
  manage?: ManageGrant
}

/** What a manage link gives to a session; it is lost with the session. */
export interface ManageGrant {
  id: string
  since: string
  until: string
  /** From where the link was used: the IP address, and what the browser says of itself. */
  address: string
  browser: string
}

/** Who is signed in. */
export interface SignedIn {
  userId: string
  /** Whether that session is still there: it may be ended while a request runs. */
  holds: () => boolean
}

/** The same by the cookie of a session. */
export interface SignedInSession extends SignedIn {
  /** By what the session may manage the host now; undefined: it may not. */
  manages: () => ManageGrant | undefined
}

interface SessionData {
  userId?: string
}

/** Where sessions live. */
export interface SessionRecords {
  find(id: string): SessionRecord | undefined
  add(record: SessionRecord): Promise<void>
  /** Does nothing for a session that is no longer there: a running request cannot bring it back. */
  touch(id: string, lastSeenAt: string): Promise<void>
  /** Undefined takes it away. Throws where the session is no longer there. */
  setManage(id: string, manage: ManageGrant | undefined): Promise<void>
  /** Those with a grant, oldest first. */
  managing(): SessionRecord[]
  remove(id: string): Promise<void>
  removeAllOf(userId: string): Promise<void>
  /** Removes those that are no longer alive. */
  sweep(isAlive: (record: SessionRecord) => boolean): Promise<void>
}

/**
 * Sessions by koa-session, which runs only where one starts or ends (sign-in, sign-out). Every other request looks its
 * cookie up in the Map and writes nothing back, so no slow request can revive a session that was ended meanwhile.
 */
export class Sessions {
  readonly #keys: Keygrip
  readonly middleware: Middleware

  constructor(
    private readonly records: SessionRecords,
    app: Koa,
    keys: readonly string[],
    private readonly now: () => Date,
  ) {
    this.#keys = new Keygrip([...keys], 'sha256')
    app.keys = this.#keys
    const cookies = session(
      {
        key: COOKIE,
        store: {
          get: (key) => this.#load(key),
          set: (key, data: SessionData) => this.#save(key, data),
          destroy: (key) => this.#end(key),
        },
        genid: () => randomBytes(32).toString('base64url'),
        maxAge: LIFETIME_MS,
        sameSite: 'lax',
        httpOnly: true,
        signed: true,
      },
      app,
    )
    this.middleware = (ctx, next) => {
      // A proxy that ends TLS speaks plain HTTP to us.
      ctx.cookies.secure = remoteOf(ctx).protocol === 'https'
      return cookies(ctx, next)
    }
  }

  /** Who has the session whose cookie this request carries, if it is alive. */
  signedIn(ctx: Context): SignedInSession | undefined {
    const record = this.#recordOf(ctx)
    if (!record) return undefined
    if (this.now().getTime() - Date.parse(record.lastSeenAt) > TOUCH_MS) {
      void this.records.touch(record.id, this.now().toISOString()).catch(() => undefined)
    }
    return {
      userId: record.userId,
      holds: () => this.records.find(record.id) !== undefined,
      manages: () => this.#grantOf(this.records.find(record.id)),
    }
  }

  /** Lets the session of this request manage the host. */
  async startManaging(ctx: Context, grant: ManageGrant): Promise<void> {
    const record = this.#recordOf(ctx)
    if (record) await this.records.setManage(record.id, grant)
  }

  /** What sessions may manage the host now, oldest first. */
  managing(): ManageGrant[] {
    return this.records
      .managing()
      .flatMap((record) => (isAlive(record, this.now()) ? (this.#grantOf(record) ?? []) : []))
  }

  /** Ends the managing of one session. False where there is none. */
  async endManaging(grantId: string): Promise<boolean> {
    const record = this.records.managing().find(({ manage }) => manage?.id === grantId)
    if (record) await this.records.setManage(record.id, undefined)
    return record !== undefined
  }

  /** Starts a session for this user, under a new id. Works only inside `middleware`. */
  async start(ctx: Context, userId: string): Promise<void> {
    const current = ctx.session as { regenerate(): Promise<void> }
    await current.regenerate()
    ctx.session = { userId } satisfies SessionData
  }

  /** Ends the session of this request for good. Works only inside `middleware`. */
  end(ctx: Context): void {
    ctx.session = null
  }

  /** Ends every session of a user, at once. */
  endAllOf(userId: string): Promise<void> {
    return this.records.removeAllOf(userId)
  }

  /** Removes sessions that had ended by themselves by this time. */
  sweep(now: Date): Promise<void> {
    return this.records.sweep((record) => isAlive(record, now))
  }

  #recordOf(ctx: Context): SessionRecord | undefined {
    if (!ctx.get('cookie').includes(COOKIE)) return undefined
    const key = ctx.cookies.get(COOKIE, { signed: true })
    const record = key === undefined ? undefined : this.records.find(hash(key))
    return record && isAlive(record, this.now()) ? record : undefined
  }

  /** A grant that begins later than now was given under another clock. */
  #grantOf(record: SessionRecord | undefined): ManageGrant | undefined {
    const now = this.now().getTime()
    const grant = record?.manage
    return grant && Date.parse(grant.since) <= now && now < Date.parse(grant.until) ? grant : undefined
  }

  #load(key: string): Promise<object | undefined> {
    const record = this.records.find(hash(key))
    return Promise.resolve(record && isAlive(record, this.now()) ? { userId: record.userId } : undefined)
  }

  async #save(key: string, data: SessionData): Promise<void> {
    if (data.userId === undefined || this.records.find(hash(key))) return
    const now = this.now().toISOString()
    await this.records.add({ id: hash(key), userId: data.userId, createdAt: now, lastSeenAt: now })
  }

  #end(key: string): Promise<void> {
    return this.records.remove(hash(key))
  }
}

function isAlive({ createdAt, lastSeenAt }: SessionRecord, now: Date): boolean {
  const age = (since: string) => now.getTime() - Date.parse(since)
  return age(createdAt) < LIFETIME_MS && age(lastSeenAt) < IDLE_MS
}

const hash = (key: string) => createHash('sha256').update(key).digest('base64url')
