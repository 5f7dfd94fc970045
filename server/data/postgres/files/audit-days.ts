import { mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { replaceFile, unlessMissing } from '../../../core/durable-file'
import { hashFile } from '../../copy-files'
import { AUDIT_DIR, dayOf, type DayLine } from '../../day-log/day-log'
import type { PostgresClient } from '../connection'

/** Lines in one statement. */
const BATCH = 5000

/** As the day files of each host, by the days of UTC. */
const OLDEST_DAY = `(clock_timestamp() at time zone 'utc')::date - 90`
/** Deletes the days that are no longer kept. */
export const FORGET_AUDIT = `delete from slipway.audit where day < ${OLDEST_DAY}`

/** Adds lines to the audit log of the cluster, under any term: nothing depends on them. */
export async function addAuditLines(
  session: PostgresClient,
  lines: readonly DayLine[],
): Promise<void> {
  for (let at = 0; at < lines.length; at += BATCH) {
    const batch = lines.slice(at, at + BATCH)
    await session.query(
      `insert into slipway.audit (day, line)
       select o.day, o.line from unnest($1::date[], $2::text[])
         with ordinality as o (day, line, place) order by o.place`,
      [batch.map(({ day }) => day), batch.map(({ line }) => line)],
    )
  }
}

/** Puts all days of a data folder into PostgreSQL. */
export async function putAudit(session: PostgresClient, dir: string): Promise<void> {
  for (const name of (await unlessMissing(readdir(join(dir, AUDIT_DIR)))) ?? []) {
    const day = dayOf(name)
    if (day !== undefined) await addAuditLines(session, await readDay(dir, day))
  }
}

/**
 * Makes the days of a data folder those of PostgreSQL. Lines that this host has not sent, because
 * it was killed as the primary, are added there first.
 */
export async function getAudit(session: PostgresClient, dir: string): Promise<void> {
  await mkdir(join(dir, AUDIT_DIR), { recursive: true, mode: 0o700 })
  const { rows } = await session.query<{ day: string; digest: string }>(
    `select day::text, encode(sha256(convert_to(string_agg(line || E'\\n', '' order by id),
      'UTF8')), 'hex') as digest
     from slipway.audit group by day`,
  )

  const days = new Map<string, string | undefined>(rows.map(({ day, digest }) => [day, digest]))
  for (const name of await readdir(join(dir, AUDIT_DIR))) {
    const day = dayOf(name)
    if (day !== undefined && day >= (await oldestDay(session)) && !days.has(day))
      days.set(day, undefined)
  }

  for (const [day, digest] of days) {
    const here = await unlessMissing(hashFile(dayPath(dir, day)))
    if (here === undefined || here !== digest) await getDay(session, dir, day)
  }
}

/** Older ones are deleted in PostgreSQL, but may still be here. */
async function oldestDay(session: PostgresClient): Promise<string> {
  const { rows } = await session.query<{ day: string }>(`select (${OLDEST_DAY})::text as day`)
  return rows[0]?.day ?? ''
}

async function getDay(session: PostgresClient, dir: string, day: string): Promise<void> {
  const { rows } = await session.query<{ line: string }>(
    'select line from slipway.audit where day = $1 order by id',
    [day],
  )
  const there = new Set(rows.map(({ line }) => line))
  const unsent = (await readDay(dir, day)).filter(({ line }) => !there.has(line))
  await addAuditLines(session, unsent)
  const text = [...rows, ...unsent].map(({ line }) => `${line}\n`).join('')
  await replaceFile(dayPath(dir, day), text)
}

const dayPath = (dir: string, day: string) => join(dir, AUDIT_DIR, `${day}.jsonl`)

async function readDay(dir: string, day: string): Promise<DayLine[]> {
  const text = (await unlessMissing(readFile(dayPath(dir, day), 'utf8'))) ?? ''
  // PostgreSQL has no NUL in texts; a power cut may leave some in a line.
  const lines = text.split('\n').filter((line) => line !== '' && !line.includes('\0'))
  return lines.map((line) => ({ day, line }))
}
