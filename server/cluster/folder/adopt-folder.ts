import { readdir } from 'node:fs/promises'
import { connect, type PostgresClient } from '../../data/postgres/connection'
import { PostgresError } from '../../data/postgres/postgres-error'
import { findTables } from '../../data/postgres/tables'
import { clusterMarkIn, requireMember, type ClusterMark } from '../../data/library/library-place'
import { holdsLibrary } from '../../data/library/journal/library-files'

/**
 * Returns the id of the cluster: that of the folder, or that of PostgreSQL for an empty one, which
 * becomes its.
 */
export async function adoptFolder(dir: string, postgres: string): Promise<string> {
  const isOurs = (await clusterMarkIn(dir).read()) !== null || (await holdsLibrary(dir))
  if (isOurs) return requireMember(dir)
  const mark = await inPostgres(postgres, (session) => markEmpty(dir, session, 'member'))
  if (mark === undefined)
    throw new Error(`${dir} has other files. Give this host an empty folder of its own`)
  return mark.id
}

/**
 * Marks an empty folder for the cluster in PostgreSQL. Undefined: it is not empty. Throws
 * PostgresError.
 */
export async function markEmpty(
  dir: string,
  session: PostgresClient,
  state: ClusterMark['state'],
): Promise<ClusterMark | undefined> {
  if (!(await isEmptyFolder(dir))) return undefined

  const id = (await findTables(session))?.head?.id
  if (id === undefined)
    throw new PostgresError(
      'PostgreSQL has no cluster. Make one from the host with the library: slipway cluster init',
    )

  const mark: ClusterMark = { id, state }
  await clusterMarkIn(dir).write(mark)
  return mark
}

/** Whether there is nothing but locks, logs and what a new disk has. */
async function isEmptyFolder(dir: string): Promise<boolean> {
  const names = await readdir(dir)
  return names.every((name) =>
    /^(slipway\..*lock|lost\+found|logs|library\.cluster\.json\.tmp)$/.test(name),
  )
}

/** Asks PostgreSQL over a session of its own. Throws PostgresError, and what `work` does. */
export async function inPostgres<T>(
  postgres: string,
  work: (session: PostgresClient) => Promise<T>,
): Promise<T> {
  await using session = await connect(postgres, { isPatient: true })
  return await work(session)
}
