import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { linkId } from '../../../server/features/projects/link-store'
import { Library } from '../../../server/data/library/library'
import { PASSWORD_HASH } from '../world/password'
import type { UserRecord } from '../../../server/data/records/account-records'
import type { FileRecord } from '../../../server/data/records/file-records'
import type { LinkRecord, ProjectRecord } from '../../../server/data/records/project-records'
import type { ReportRecord } from '../../../server/data/records/report-records'

const hex = (n: number, length: number) => n.toString(16).padStart(length, '0')
const log = {
  info: () => undefined,
  error: (fields: object, message: string) => console.error(message, fields),
}
const USERS = 50

const userId = (n: number) => `user${hex(n % USERS, 12)}`
/** The owner of the most files. */
export const OWNER = userId(0)

const fileId = (n: number) => `file${hex(n, 12)}`
const timeOf = (n: number) => new Date(1.7e12 + n * 1000).toISOString()

const aUser = (n: number): UserRecord => ({
  ...{
    id: userId(n),
    username: `user${n}`,
    email: `user${n}@example.com`,
    passwordHash: PASSWORD_HASH,
  },
  ...{ tier: 'Enterprise', isHost: n === 0, disabledAt: null, createdAt: timeOf(0) },
})

const aFile = (n: number): FileRecord => ({
  ...{
    id: fileId(n),
    ownerId: n % 10 === 0 ? userId(0) : userId(n),
    filename: `build-${n}-release.apk`,
    size: 1000,
  },
  ...{
    sha256: hex(n, 64),
    blobId: hex(n, 32),
    isPublic: n % 3 === 0,
    version: `1.${n}.0`,
    uploadedAt: timeOf(n),
  },
})

const projectId = (n: number) => `project${hex(n, 9)}`

const aProject = (n: number): ProjectRecord => ({
  ...{ id: projectId(n), slug: `project-${n}`, ownerId: userId(n), title: `Project ${n}` },
  ...{
    shortDescription: 'Short',
    description: 'Long '.repeat(50),
    isPublic: n % 2 === 0,
    projectUrl: null,
  },
  ...{ collaboratorIds: [], createdAt: timeOf(n), updatedAt: timeOf(n) },
})

/** The k-th of a project. */
function aLink(n: number, k: number, files: number): LinkRecord {
  const file = fileId((n * 10 + k) % files)
  const release = {
    version: '1.0',
    platform: 'Android',
    addedAt: timeOf(n),
    position: Date.parse(timeOf(n)) + k,
  }
  return {
    id: linkId(projectId(n), file),
    projectId: projectId(n),
    fileId: file,
    ...release,
    releaseId: null,
  }
}

/** Every second one is a crash of one of 100 groups. */
const aReport = (n: number): ReportRecord => ({
  ...{ id: `report${hex(n, 10)}`, projectId: projectId(0), ownerId: OWNER, tokenHash: hex(n, 43) },
  ...{ kind: 'crash', text: 'It crashes. '.repeat(40), version: `1.${n % 100}.0`, state: 'new' },
  ...(n % 2 === 0 && { signature: `NullPointerException in Level${n % 200}.load` }),
  ...{ device: { system: 'Android 16', model: 'Pixel 9' }, attachments: [], replies: [] },
  ...{ createdAt: timeOf(n), updatedAt: timeOf(n) },
})

/**
 * A data folder whose library is full; of the files only the records are there. `reports`: of the
 * first project.
 */
export async function fillHost(
  dir: string,
  files: number,
  projects: number,
  reports = 0,
): Promise<void> {
  await mkdir(join(dir, 'blobs'), { recursive: true })
  await writeFile(join(dir, 'blobs', 'catalogue.json'), '')
  // One snapshot at the end, as a host has that was closed in peace.
  const library = await Library.open({ dir, log, checkpointBytes: Infinity })
  await library.transact((tx) => {
    for (let n = 0; n < USERS; n++) tx.put(library.collection('users'), userId(n), aUser(n))
    for (let n = 0; n < reports; n++)
      tx.put(library.collection('reports'), aReport(n).id, aReport(n))
    for (let n = 0; n < projects; n++) {
      tx.put(library.collection('projects'), projectId(n), aProject(n))
      for (let k = 0; k < 10; k++) {
        const link = aLink(n, k, files)
        tx.put(library.collection('links'), link.id, link)
      }
    }
  })
  for (let from = 0; from < files; from += 1000) {
    await library.transact((tx) => {
      for (let n = from; n < Math.min(from + 1000, files); n++) {
        tx.put(library.collection('files'), fileId(n), aFile(n))
        tx.setCounter(`file:${fileId(n)}:downloads`, n)
      }
    })
  }
  await library.checkpoint()
  await library.close()
}
