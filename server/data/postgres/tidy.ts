import type { Log } from '../../core/logging/log'
import { FORGET_AUDIT } from './files/audit-days'
import { postgresError } from './postgres-error'
import type { WriterLease } from './writer-lease'
import { LeaseLostError } from './lease-errors'

/** How often the primary looks for what is outdated, in ms. */
const LOOK_MS = 3_600_000
/** Rows in one statement: a commit that needs one of them waits no longer. */
const BATCH = 10_000

/**
 * Once a day: what was deleted before the day before goes, by PostgreSQL's clock. That clock
 * may be wrong, because replicas that know less than `gone_before` reload.
 */
const MARK = `
update slipway.cluster set gone_before = mark_seq, mark_seq = seq, mark_at = clock_timestamp()
where epoch = $1 and holder = $2
  and mark_at not between clock_timestamp() - interval '1 day' and clock_timestamp()`

/** Safe under any term. */
const SWEEP = `
delete from slipway.record as r using (
  select kind, record.id, record.seq from slipway.record, slipway.cluster
  where value is null and record.seq <= gone_before limit ${BATCH}
) as o where r.kind = o.kind and r.id = o.id and r.seq = o.seq and r.value is null`

/** Hosts that have been silent for a day are gone. */
const FORGET = `delete from slipway.host where seen_at < clock_timestamp() - interval '1 day'`

type Tidied = Pick<WriterLease, 'inOrder' | 'options'>

/** Looks now and each hour until the lease ends. */
export function keepTidy(lease: Tidied, log: Pick<Log, 'warn'>): void {
  const look = () =>
    tidy(lease).catch((cause: unknown) => {
      if (cause instanceof LeaseLostError) clearInterval(timer)
      else
        log.warn(
          { why: postgresError(cause).message },
          'cannot delete outdated rows in PostgreSQL; next try in an hour',
        )
    })
  const timer = setInterval(() => void look(), LOOK_MS).unref()
  void look()
}

/** Deletes outdated rows, between and beside commits. */
export async function tidy(lease: Tidied): Promise<void> {
  await lease.inOrder((session) => session.query(FORGET))
  await lease.inOrder((session) => session.query(FORGET_AUDIT))
  const { rowCount } = await lease.inOrder((session, { epoch, token }) =>
    session.query(MARK, [epoch, token]),
  )
  if (rowCount === 0) return
  await using session = await lease.options.open({ isPatient: true })
  for (let count: number | null = BATCH; count === BATCH;)
    count = (await session.query(SWEEP)).rowCount
}
