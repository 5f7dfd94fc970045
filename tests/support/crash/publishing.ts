import { randomBytes, randomInt } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { clientAt, fetchAt, type Place } from '../world/place'
import { upload } from '../world/upload'
import { CommitLog } from './ledger'
import { sha256 } from '../system/sha256'

/** One client, with a project of its own, whose ledger outlives the server. */
export async function aCommitLog(place: Place): Promise<CommitLog> {
  const { project } = await clientAt(place).projects.create({ title: 'Rocket' })
  return new CommitLog(project.project_id, project.title)
}

/** Uploads, edits and deletes, one request after another, until the server no longer answers. */
export async function publish(place: Place, ledger: CommitLog): Promise<void> {
  try {
    for (;;) {
      await add(place, ledger)
      await edit(place, ledger)
      ledger.acknowledged += 2
    }
  } catch {
    // An unanswered request stays in `asking` if it concerned a known record. The pause: fetch does
    // not retry.
    await pause(1)
  }
}

async function add(place: Place, ledger: CommitLog): Promise<void> {
  const isLinked = randomInt(2) === 0
  const bytes = randomBytes(randomInt(1, randomInt(20) === 0 ? 300_000 : 8_000))
  const link = isLinked ? { project_id: ledger.projectId } : {}
  const file = new File([bytes], `${isLinked ? 'linked' : 'alone'}-${randomInt(1e9)}.bin`)
  const { file_id: id } = await upload(fetchAt(place), file, link)
  ledger.files.set(id, { id, sha256: sha256(bytes), isPublic: false })
}

async function edit(place: Place, ledger: CommitLog): Promise<void> {
  const client = clientAt(place)
  const kind = randomInt(4)
  const known = [...ledger.files.values()].at(-randomInt(1, 4)) ?? [...ledger.files.values()].at(-1)
  if (kind === 0 || !known) {
    ledger.asking = ledger.projectId
    ledger.title = (
      await client.projects.update({ id: ledger.projectId, title: `T${randomInt(1e9)}` })
    ).project.title
  } else if (kind < 3) {
    ledger.asking = known.id
    await client.files.remove({ id: known.id })
    ledger.files.delete(known.id)
    ledger.removed.add(known.id)
  } else {
    ledger.asking = known.id
    known.isPublic = (
      await client.files.setVisibility({ id: known.id, is_public: !known.isPublic })
    ).file.is_public
  }
  ledger.asking = undefined
}
