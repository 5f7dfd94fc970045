import { connect } from '../data/engine/connection'
import { requireProof } from '../data/engine/files/file-cipher'
import { cutOf } from '../data/engine/open-engine-ledger'
import { readCut } from '../data/engine/rows'
import { requireMember } from '../data/library/cluster-mark'
import type { LibraryCut } from '../data/library/read-library'

/**
 * Reads the library of a cluster's data folder from its engine, as it is at one moment, also while
 * a host runs.
 */
export const clusterReader =
  (engine: string) =>
  async (dir: string): Promise<LibraryCut> => {
    const id = await requireMember(dir)
    const client = await connect(engine, { isPatient: true })
    try {
      const cut = await readCut(client, id)
      requireProof(cut.head, undefined)
      return cutOf(cut)
    } finally {
      await client.end().catch(() => undefined)
    }
  }
