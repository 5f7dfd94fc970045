import { cutText } from '../../texts/format'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Context } from 'koa'
import { z } from 'zod'
import { accountOf } from '../../access/actor'
import { auditEventSchema, type AuditEvent, type AuditKind } from '../../contract/host/audit'
import { parseJson } from '../../core/json'
import { callerOf, type Caller } from '../../http/endpoint/call'
import type { Log } from '../../core/logging/log'
import { AUDIT_DIR, addToDayLog, DayLog, type DayLine } from '../../data/day-log/day-log'
import type { Clock } from '../../core/clock'

const KEEP_DAYS = 90
/** About 30,000 events. Limits the disk space of a day under attack. */
const DAY_BYTES = 8 * 1024 * 1024
/** Share of a day for visitors, so that events of accounts are still recorded. */
const STRANGERS_SHARE = 0.5
/** The most characters of a text. */
const MAX_TEXT = 300

/**
 * An event. Contains no secrets, and no input that may be a typing mistake, such as an unknown
 * name.
 */
export interface Happening {
  kind: AuditKind
  /** The actor, if it is not the caller: at sign-in. */
  userId?: string | undefined
  /** The affected account, if not the actor's. */
  concerns?: string
  subject?: string | undefined
  detail?: string | undefined
}

const recordSchema = auditEventSchema
  .omit({ event_id: true })
  .extend({ concerns: z.string().nullable() })
type AuditRecord = z.infer<typeof recordSchema>

interface AuditDeps {
  clock: Pick<Clock, 'now'>
  users: { nameOf(userId: string): string }
  apiKeys: { find(keyId: string): { name: string } | undefined }
  held: { require(): Promise<void> }
  /** Stores written lines outside of this folder, too. */
  sender?: { add: (lines: readonly DayLine[]) => void; settled: () => Promise<void> } | undefined
}

/** Records who did what from where, for 90 days, in `audit/`. Never delays or fails a request. */
export class AuditLog {
  private constructor(
    private readonly lines: DayLog,
    private readonly deps: AuditDeps,
  ) {}

  static async open(dataDir: string, log: Log, deps: AuditDeps): Promise<AuditLog> {
    const now = () => deps.clock.now()
    const options = {
      dir: join(dataDir, AUDIT_DIR),
      log,
      now,
      keepDays: KEEP_DAYS,
      dayBytes: DAY_BYTES,
    }

    const onWritten = deps.sender && ((lines: readonly DayLine[]) => deps.sender?.add(lines))
    return new AuditLog(
      await DayLog.open({ ...options, confirm: () => deps.held.require(), onWritten }),
      deps,
    )
  }

  /** Records an action of the caller. Call it after success. */
  record(ctx: Context, { kind, userId, concerns, subject, detail }: Happening): void {
    const caller = callerOf(ctx)
    const who = userId ?? accountOf(caller.actor)
    const fields = { subject: cut(subject), detail: cut(detail), concerns: concerns ?? null }
    this.#add(kind, who, { address: caller.address, ...this.#wayOf(caller), ...fields })
  }

  /** Records an action of a watched folder on behalf of its owner. */
  recordWatched({ kind, userId, subject, detail }: Happening & { userId: string }): void {
    const fields = { subject: cut(subject), detail: cut(detail), concerns: null }
    this.#add(kind, userId, { address: null, via: 'watched_folder', key_name: null, ...fields })
  }

  /** Records an action of the command line. */
  recordCommand({ kind, subject, detail, concerns }: Happening): void {
    const fields = { subject: cut(subject), detail: cut(detail), concerns: concerns ?? null }
    this.#add(kind, undefined, { address: null, via: 'command_line', key_name: null, ...fields })
  }

  /** Records an automatic action of the host. */
  recordHost({ kind, subject, detail, concerns }: Happening): void {
    const fields = { subject: cut(subject), detail: cut(detail), concerns: concerns ?? null }
    this.#add(kind, undefined, { address: null, via: 'host', key_name: null, ...fields })
  }

  /** Returns a page of events, newest first. Skips damaged lines. */
  async page(query: {
    before?: string | undefined
    limit: number
    kind?: AuditKind | undefined
    userId?: string | undefined
  }) {
    const { before, limit, kind, userId } = query
    const events: AuditEvent[] = []

    for await (const { position, text } of this.lines.newestFirst(before)) {
      const record = parse(text)
      if (!record || (kind !== undefined && record.kind !== kind)) continue
      if (userId !== undefined && record.user_id !== userId && record.concerns !== userId) continue
      if (events.length === limit) return { events, has_more: true }

      const { concerns: _, ...event } = record
      events.push({ event_id: position, ...event })
    }
    return { events, has_more: false }
  }

  /** Deletes events older than 90 days. */
  sweep(now: Date): Promise<void> {
    return this.lines.sweep(now)
  }

  async close(): Promise<void> {
    await this.lines.settled()
    await this.deps.sender?.settled()
  }

  #add(
    kind: AuditKind,
    who: string | undefined,
    rest: Omit<AuditRecord, 'at' | 'kind' | 'user_id' | 'username'>,
  ): void {
    const record: AuditRecord = {
      at: this.deps.clock.now().toISOString(),
      kind,
      user_id: who ?? null,
      username: who === undefined ? null : this.deps.users.nameOf(who),
      ...rest,
    }

    const isOurs = record.via === 'command_line' || record.via === 'host'
    const isStranger = (who === undefined && !isOurs) || kind === 'register'
    this.lines.add(JSON.stringify(record), isStranger ? STRANGERS_SHARE : 1)
  }

  #wayOf({ actor, atWindow, bucket }: Caller): Pick<AuditRecord, 'via' | 'key_name'> {
    if (actor.kind === 'user' && actor.credential === 'api-key') {
      return {
        via: 'api_key',
        key_name: cut(this.deps.apiKeys.find(bucket.replace(/^key:/, ''))?.name),
      }
    }
    return { via: atWindow ? 'window' : 'browser', key_name: null }
  }
}

/** Records a backup by the command line, also while the host runs. */
export async function recordBackup(dataDir: string, now: Date, place: string): Promise<void> {
  await addToDayLog(join(dataDir, AUDIT_DIR), now, backupLine(now, place))
}

/** Records in a restored data folder, before any host runs on it, from which backup it is. */
export async function recordRestore(
  dataDir: string,
  now: Date,
  { from, via }: { from: string; via: 'window' | 'command_line' },
): Promise<void> {
  const dir = join(dataDir, AUDIT_DIR)
  await mkdir(dir, { recursive: true, mode: 0o700 })
  await addToDayLog(dir, now, formatLine(now, { kind: 'backup_restore', subject: from, via }))
}

/** Returns the line of a backup by the command line. */
export const backupLine = (now: Date, place: string): string =>
  formatLine(now, { kind: 'backup', subject: place, via: 'command_line' })

function formatLine(
  now: Date,
  { kind, subject, via }: Pick<AuditRecord, 'kind' | 'via'> & { subject: string },
): string {
  const record: AuditRecord = {
    ...{ at: now.toISOString(), kind, via, subject: cut(subject) },
    ...{ user_id: null, username: null, address: null, key_name: null },
    ...{ detail: null, concerns: null },
  }
  return JSON.stringify(record)
}

const parse = (text: string): AuditRecord | undefined =>
  recordSchema.safeParse(parseJson(text)).data

const cut = (text: string | undefined): string | null =>
  text === undefined ? null : cutText(text, MAX_TEXT)
