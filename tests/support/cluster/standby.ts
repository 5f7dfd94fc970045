import { startPostgres, type Postgres } from './postgres'
import { asNobody, programs, query } from './postgres-server'
import { run } from '../system/debian'
import { until } from '../world/process'

/** The name by which a primary knows its standby. */
const NAME = 'standby'

/** A PostgreSQL that follows another one, on its own copy. */
export interface Standby extends Postgres {
  /** Makes it a primary, which has what it has received. */
  promote: () => Promise<unknown>
}

/** Copies a primary as docs/deploy.md does it, and follows it. */
export async function startStandby(primary: Postgres): Promise<Standby> {
  const { program, env } = await programs()
  const fill = (data: string) => {
    const from = [
      '--dbname',
      `${primary.url('postgres')}?application_name=${NAME}`,
      '--pgdata',
      data,
    ]
    const how = [
      '--write-recovery-conf',
      '--wal-method',
      'stream',
      '--checkpoint',
      'fast',
      '--no-sync',
    ]
    return run('env', ['setpriv', ...asNobody, program('pg_basebackup'), ...from, ...how], {
      env,
      cwd: '/',
    })
  }
  const standby = await startPostgres({}, { fill })
  return { ...standby, promote: () => query(standby.url('postgres'), 'select pg_promote()') }
}

/** From now on each commit of the primary waits for its standby. */
export async function waitForStandby(primary: Postgres): Promise<void> {
  const url = primary.url('postgres')
  await query(url, `alter system set synchronous_standby_names = '${NAME}'`)
  await query(url, 'select pg_reload_conf()')
  await until(
    async () =>
      (await query(url, `select 1 from pg_stat_replication where sync_state = 'sync'`)).length > 0,
  )
}
