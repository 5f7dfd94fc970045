import { expect } from 'vitest'
import { recordsOf, type Records } from '../../../server/data/repair/records'
import { verify } from '../../../server/data/repair/verify'
import { readLibrary } from '../../../server/data/library/read-library'
import type { FileRecord } from '../../../server/data/records/file-records'

export interface KnownFile {
  id: string
  sha256: string
  isPublic: boolean
}

/**
 * What the server has acknowledged to one client, and the client's request in progress when it
 * died.
 */
export class CommitLog {
  readonly files = new Map<string, KnownFile>()
  readonly removed = new Set<string>()
  title = ''
  /** Concerned by a request without an answer: both outcomes are right. */
  asking: string | undefined
  acknowledged = 0

  constructor(
    readonly projectId: string,
    title: string,
  ) {
    this.title = title
  }

  /** Settles the request without an answer, once the server's records show its outcome. */
  settle({ files, projects }: Records): void {
    const { asking } = this
    this.asking = undefined
    if (asking === undefined) return
    if (asking === this.projectId) this.title = projects.get(asking)?.title ?? ''
    const file = files.get(asking)
    const known = this.files.get(asking)
    if (known && file) known.isPublic = file.isPublic
    if (known && !file) this.files.delete(asking)
  }
}

/**
 * Compares the disk after a crash with the acknowledged changes, before a host starts on it.
 * Returns the total bytes of its files.
 */
export async function examine(dir: string, ledgers: readonly CommitLog[]): Promise<number> {
  expect((await verify(dir, { readData: true })).problems, 'what verify --read-data finds').toEqual(
    [],
  )
  const records = recordsOf((await readLibrary(dir)).data)
  for (const ledger of ledgers) {
    for (const known of ledger.files.values()) {
      if (known.id !== ledger.asking)
        expect(told(records.files.get(known.id)), 'an acknowledged file').toEqual(known)
    }
    for (const id of ledger.removed) expect(records.files.has(id), `deleted ${id}`).toBe(false)
    if (ledger.asking !== ledger.projectId)
      expect(records.projects.get(ledger.projectId)?.title).toBe(ledger.title)
    ledger.settle(records)
  }
  expectNoHalves(records)
  return [...records.files.values()].reduce((sum, { size }) => sum + size, 0)
}

const told = (file: FileRecord | undefined) =>
  file && { id: file.id, sha256: file.sha256, isPublic: file.isPublic }

/** A file is linked in the transaction that adds it, and unlinked in the one that deletes it. */
function expectNoHalves({ files, links, trash }: Records): void {
  const linked = new Set([...links.values()].map((link) => link.fileId))
  for (const { id, filename } of files.values())
    expect(linked.has(id), filename).toBe(filename.startsWith('linked'))
  for (const { id, name, value } of trash.values()) {
    expect(linked.has(id), `${name} in the trash`).toBe(false)
    if ('links' in value) expect(value.links.length).toBe(name.startsWith('linked') ? 1 : 0)
  }
}
