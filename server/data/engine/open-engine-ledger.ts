import type { ClusterHost } from '../../contract'
import type { Log } from '../../core/logging/log'
import type { LibraryData } from '../library/library-data'
import type { LibraryCut } from '../library/read-library'
import { SCHEMA } from '../library/schema'
import { drop } from './fresh-checks'
import { listHosts, presentHosts } from './hosts'
import { EngineLedger } from './engine-ledger'
import { readCut, rewriteRows, type EngineCut } from './rows'
import type { EngineClient } from './connection'
import type { Office } from './office'

const LATE = 'another host took over while this one read the records'

/** The ledger of the library whose writer this process is. */
export const openEngineLedger = (office: Office, log: Pick<Log, 'info' | 'error'>): EngineLedger =>
  new EngineLedger({
    office,
    log,
    read: () => inSession(office, (session) => readRecords(office, session, log)),
  })

/** The library as it is at one moment, also while this process commits. */
export const readFromEngine = (office: Office): Promise<LibraryCut> =>
  inSession(office, async (session) => cutOf(await readCut(session, office.options.id)))

/** The hosts of the cluster. Gives up on an engine that does not answer. */
export async function listHostsBy({ options }: Office): Promise<ClusterHost[]> {
  const session = await options.open()
  return listHosts(session)
    .then(presentHosts)
    .finally(() => drop(session))
}

/** What reads a data folder takes: an engine has no generations. */
export const cutOf = ({ data, head }: EngineCut): LibraryCut => ({
  data,
  generation: 0,
  sequence: head.seq,
})

/** All records as they were when the office was taken: nobody else has committed since. */
async function readRecords(
  office: Office,
  session: EngineClient,
  log: Pick<Log, 'info'>,
): Promise<LibraryData> {
  const { data, head } = await readCut(session, office.options.id)
  if (head.seq !== office.seq) throw office.lose(LATE)
  if (head.schema < SCHEMA) {
    if (!(await rewriteRows(session, data, head))) throw office.lose(LATE)
    log.info({ from: head.schema, to: SCHEMA }, 'migrated the library to a new schema')
  }
  return data
}

async function inSession<T>(
  office: Office,
  work: (session: EngineClient) => Promise<T>,
): Promise<T> {
  const session = await office.options.open({ isPatient: true })
  try {
    return await work(session)
  } finally {
    await session.end().catch(() => undefined)
  }
}
