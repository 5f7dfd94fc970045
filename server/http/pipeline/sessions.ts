import { PROOF_MS } from '../../contract'
import { DAY_MS, MINUTE_MS } from '../../core/clock'
import { AppError } from '../../core/errors'
import { sha256Of } from '../../core/sha256'
import { randomBytes } from 'node:crypto'
import Keygrip from 'keygrip'
import type Koa from 'koa'
import type { Context, Middleware } from 'koa'
import { remoteOf } from './remote'
import type { Transaction } from '../../data/library/library'
import type { ManageGrant, SessionRecord } from '../../data/records/account-records'

const COOKIE = 'slipway.sid'
/** Sessions end after this time without use, in ms. */
const IDLE_MS = 14 * DAY_MS
/** Sessions end this long after sign-in, in ms. */
const LIFETIME_MS = 60 * DAY_MS
/** Minimum interval between writes of `lastSeenAt`, in ms. */
const TOUCH_MS = 10 * MINUTE_MS

/** A signed-in user. */
export interface SignedIn {
  userId: string
  /** Whether the session still exists: it can end while a request runs. */
  holds: () => boolean
}

/** A user signed in by a session cookie. */
export interface SignedInSession extends SignedIn {
  manages: () => ManageGrant | undefined
  /** Whether the person was proved in the last 15 minutes. */
  isProved: () => boolean
}

/** What a sign-in proved. */
export type Proof = Pick<SessionRecord, 'provedBy' | 'provedAt' | 'provider'>

/** The most characters of a stored User-Agent. */
const MAX_BROWSER = 300

interface SessionData extends Proof, Pick<SessionRecord, 'address' | 'browser' | 'manage'> {
  userId?: string
}

/** Storage of sessions. */
export interface SessionRecords {
  find(id: string): SessionRecord | undefined
  add(record: SessionRecord): Promise<void>
  /** Does nothing for an ended session: a running request must not restore it. */
  touch(id: string, lastSeenAt: string): Promise<void>
  /** Does nothing for an ended session, either. */
  prove(id: string, provedAt: string): Promise<void>
  removeManage(id: string): Promise<void>
  /** Sessions with a grant, oldest first. */
  managing(): SessionRecord[]
  remove(id: string): Promise<void>
  /** The sessions of a user, also ended ones that were not removed yet. */
  ofUser(userId: string): readonly SessionRecord[]
  removeAll(userId: string): Promise<void>
  /** Removes the other sessions of a user. `provedAt`: when this one was proved, too. */
  dropOthers(tx: Transaction, kept: SessionRecord, provedAt?: string): void
  sweep(isAlive: (record: SessionRecord) => boolean): Promise<void>
}

/**
 * Sessions by koa-session, which runs only for sign-in and sign-out. Other requests look the cookie
 * up in memory and write nothing back, so a slow request cannot restore an ended session.
 */
export class Sessions {
  readonly #keys: Keygrip
  readonly middleware: Middleware

  constructor(
    private readonly records: SessionRecords,
    app: Koa,
    keys: readonly string[],
    private readonly now: () => Date,
    private readonly publicUrl: () => string | null,
  ) {
    this.#keys = new Keygrip([...keys], 'sha256')
    app.keys = this.#keys

    // Loads koa-session on demand: it is a seventh of the code that a start reads.
    const load = async () =>
      (await import('koa-session')).default(
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

    let cookies: ReturnType<typeof load> | undefined
    this.middleware = async (ctx, next) => {
      // A proxy that terminates TLS connects by plain HTTP.
      ctx.cookies.secure = this.#isSecure(ctx)
      cookies ??= load()
      await (
        await cookies
      )(ctx, next)
    }
  }

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
      isProved: () => this.#isProved(this.records.find(record.id)),
    }
  }

  /** What proved the person of a request's session. */
  proofOf(ctx: Context): Proof {
    const { provedBy, provedAt, provider } = this.#recordOf(ctx) ?? {}
    return { provedBy, provedAt, provider }
  }

  /** Notes that a user, whose session a request has, was proved again, now. */
  async prove(ctx: Context, userId: string): Promise<void> {
    const record = this.#recordOf(ctx)
    // The cookie may belong to another account than the actor's.
    if (record?.userId === userId) await this.records.prove(record.id, this.now().toISOString())
  }

  /** Active manage grants, oldest first. */
  managing(): ManageGrant[] {
    return this.records
      .managing()
      .flatMap((record) => (isAlive(record, this.now()) ? (this.#grantOf(record) ?? []) : []))
  }

  /** Removes a manage grant. Returns false without one. */
  async endManaging(grantId: string): Promise<boolean> {
    const record = this.records.managing().find(({ manage }) => manage?.id === grantId)
    if (record) await this.records.removeManage(record.id)
    return record !== undefined
  }

  /**
   * Starts a session under a new id, and ends the one of the cookie. `proof`: without its time, it
   * was proved now. Works only inside `middleware`.
   */
  async start(ctx: Context, userId: string, proof: Proof, manage?: ManageGrant): Promise<void> {
    // Save this first: `ctx.session` is stored under the new id, and that is still the previous
    // session.
    ctx.session = {
      userId,
      address: remoteOf(ctx).address,
      browser: ctx.get('user-agent').slice(0, MAX_BROWSER),
      provedBy: proof.provedBy,
      provedAt: proof.provedAt ?? this.now().toISOString(),
      ...(proof.provider && { provider: proof.provider }),
      ...(manage && { manage }),
    } satisfies SessionData
    await (ctx.session as { regenerate(): Promise<void> }).regenerate()
  }

  /** Works only inside `middleware`. */
  end(ctx: Context): void {
    ctx.session = null
  }

  endAll(userId: string): Promise<void> {
    return this.records.removeAll(userId)
  }

  /**
   * Returns what ends the sessions of a user but for the one of this request, in the transaction of
   * the change that asks for it: a crash in between would leave the sessions of a thief.
   * `isProved`: the person was proved now, too. Throws `sign_in_required` there if the session of
   * this request has ended.
   */
  endingOthers(
    ctx: Context,
    userId: string,
    { isProved = false }: { isProved?: boolean } = {},
  ): (tx: Transaction) => void {
    const current = this.#recordOf(ctx)
    const provedAt = isProved ? this.now().toISOString() : undefined
    return (tx) => {
      if (current?.userId !== userId) return
      if (this.records.find(current.id) === undefined)
        throw new AppError('sign_in_required', 'Your session ended during this request')
      this.records.dropOthers(tx, current, provedAt)
    }
  }

  /** Ends a session of a user. Returns false without one. */
  async endOne(userId: string, id: string): Promise<boolean> {
    if (this.records.find(id)?.userId !== userId) return false
    await this.records.remove(id)
    return true
  }

  /** Lists the sessions of the signed-in user: this one, then the last used first. */
  list(ctx: Context): { record: SessionRecord; isCurrent: boolean }[] {
    const current = this.#recordOf(ctx)
    if (!current) return []
    return this.records
      .ofUser(current.userId)
      .filter((record) => isAlive(record, this.now()))
      .map((record) => ({ record, isCurrent: record.id === current.id }))
      .toSorted(
        (a, b) =>
          Number(b.isCurrent) - Number(a.isCurrent) ||
          b.record.lastSeenAt.localeCompare(a.record.lastSeenAt),
      )
  }

  sweep(now: Date): Promise<void> {
    return this.records.sweep((record) => isAlive(record, now))
  }

  #recordOf(ctx: Context): SessionRecord | undefined {
    if (!ctx.get('cookie').includes(COOKIE)) return undefined
    const key = ctx.cookies.get(COOKIE, { signed: true })
    const record = key === undefined ? undefined : this.records.find(hash(key))
    return record && isAlive(record, this.now()) ? record : undefined
  }

  /** A proxy that terminates TLS counts, also one that is not trusted, by the public URL. */
  #isSecure(ctx: Context): boolean {
    const { protocol, host } = remoteOf(ctx)
    const outside = new URL(this.publicUrl() ?? 'http://localhost')
    return protocol === 'https' || (outside.protocol === 'https:' && outside.host === host)
  }

  /** As a grant, a proof from the future does not count. */
  #isProved(record: SessionRecord | undefined): boolean {
    if (!record) return false
    const age = this.now().getTime() - Date.parse(record.provedAt ?? record.createdAt)
    return age >= 0 && age < PROOF_MS
  }

  /** A grant from the future comes from another clock, so it does not count. */
  #grantOf(record: SessionRecord | undefined): ManageGrant | undefined {
    const now = this.now().getTime()
    const grant = record?.manage
    return grant && Date.parse(grant.since) <= now && now < Date.parse(grant.until)
      ? grant
      : undefined
  }

  #load(key: string): Promise<object | undefined> {
    const record = this.records.find(hash(key))
    return Promise.resolve(
      record && isAlive(record, this.now()) ? { userId: record.userId } : undefined,
    )
  }

  async #save(key: string, { userId, ...data }: SessionData): Promise<void> {
    if (userId === undefined || this.records.find(hash(key))) return
    const now = this.now().toISOString()
    await this.records.add({
      ...{ id: hash(key), userId, createdAt: now, lastSeenAt: now },
      ...{ address: data.address, browser: data.browser },
      ...{ provedBy: data.provedBy, provedAt: data.provedAt },
      ...(data.provider && { provider: data.provider }),
      ...(data.manage && { manage: data.manage }),
    })
  }

  #end(key: string): Promise<void> {
    return this.records.remove(hash(key))
  }
}

function isAlive({ createdAt, lastSeenAt }: SessionRecord, now: Date): boolean {
  const age = (since: string) => now.getTime() - Date.parse(since)
  return age(createdAt) < LIFETIME_MS && age(lastSeenAt) < IDLE_MS
}

const hash = (key: string) => sha256Of(key, 'base64url')
