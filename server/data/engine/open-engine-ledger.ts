import type { Log } from '../../core/logging/log'
import type { LibraryData } from '../library/library-data'
import { EngineLedger } from './engine-ledger'
import { readCut } from './rows'
import type { Office } from './office'

/** The ledger of the library whose writer this process is. */
export const openEngineLedger = (office: Office, log: Pick<Log, 'info' | 'error'>): EngineLedger =>
  new EngineLedger({ office, log, read: () => readRecords(office) })

/** All records as they were when the office was taken: nobody else has committed since. */
async function readRecords(office: Office): Promise<LibraryData> {
  const session = await office.open()
  try {
    const { data, head } = await readCut(session, office.id)
    if (head.seq !== office.seq) throw office.lose('another host took over while this one read the records')
    return data
  } finally {
    await session.end().catch(() => undefined)
  }
}
