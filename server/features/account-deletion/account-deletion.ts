import { AppError } from '../../core/errors'
import type { Transaction } from '../../data/library/library'
import type { DeletedAccountRecord, UserRecord } from '../../data/records/account-records'
import { requireRestorable } from '../accounts/deleted-accounts'
import { FinalRemoval } from './final-removal'
import { findHandOvers, handOver } from './hand-over'
import type { AccountDeletionDeps } from './deps'
import { countEnding, endRecords } from './ending-records'

interface Wanted {
  /** The hash of the password that was checked. */
  checked: string
  handOver: readonly { project_id: string; username: string }[]
}

/**
 * Deletes accounts, restores them within 7 days, and removes them permanently.
 *
 * - **Deleting** is one transaction. The account leaves `users`, so that nothing answers for it any
 *   more, and its name and email stay taken. Its projects and files move to the trash with it, or
 *   to a collaborator. Its sessions, API keys, file requests and unfinished uploads end.
 * - **Restoring** is one transaction, too: everything comes back but what had ended or was handed
 *   over. The person is then a maintainer of a project that they handed over.
 * - **Permanent removal** takes many steps, each of which can be repeated (`FinalRemoval`).
 */
export class AccountDeletion {
  readonly removal: FinalRemoval

  constructor(private readonly deps: AccountDeletionDeps) {
    this.removal = new FinalRemoval(deps)
  }

  /**
   * Deletes an account. Returns until when it can be restored, as ISO time. Throws `forbidden` for
   * the host account, `bad_credentials` if the password changed, and what `handOver` throws.
   */
  async delete(user: UserRecord, wanted: Wanted): Promise<string> {
    requireNoHost(user)
    const { data, accounts, files, projects, transfers, folders } = this.deps
    const uploads = files.uploads.unfinished().filter(({ ownerId }) => ownerId === user.id)

    const record = await data.library.transact((tx) => this.#delete(tx, user, wanted))

    // The next sweep deletes bytes that are still being written.
    await Promise.allSettled(uploads.map((upload) => transfers.resumable.discard(upload)))
    for (const { project_id: id } of wanted.handOver) {
      transfers.resumable.settle(id)
      await Promise.all(projects.watches.ofProject(id).map((watch) => folders.refresh(watch.id)))

      const project = projects.store.find(id)
      const subjectId = project?.ownerId ?? null
      if (project) projects.events.emit({ kind: 'owner', project, userId: user.id, subjectId })
    }

    transfers.running.recheck()
    transfers.running.forget(user.username)
    return accounts.users.deleted.expiresAt(record)
  }

  /**
   * Restores a deleted account. Returns it. Throws `not_found`, and `too_many_records` if this host
   * no longer allows so many projects.
   */
  restore(id: string): Promise<UserRecord> {
    const { data, accounts, files, projects } = this.deps
    const { deleted } = accounts.users

    return data.library.transact((tx) => {
      const { user, memberships } = requireRestorable(deleted.find(id))
      deleted.drop(tx, id)
      accounts.users.putBack(tx, user)
      files.trash.restoreAccount(tx, id)

      for (const { projectId, isMaintainer } of memberships)
        if (projects.store.find(projectId))
          projects.store.setRole(tx, projectId, id, isMaintainer ? 'maintainer' : 'collaborator')

      return user
    })
  }

  #delete(tx: Transaction, { id }: UserRecord, wanted: Wanted): DeletedAccountRecord {
    const { data, accounts, files, projects, deletion } = this.deps
    const { users } = accounts

    const user = users.drop(tx, id, wanted.checked)
    const handOvers = findHandOvers({ users, projects }, id, wanted.handOver)
    const ended = countEnding(this.deps, id)
    const given = handOver({ ...this.deps, ...data, users }, tx, { userId: id, handOvers })

    const memberships: DeletedAccountRecord['memberships'][number][] = []
    for (const project of projects.store.ofMember(id)) {
      const isOwn = project.ownerId === id
      if (isOwn && !handOvers.has(project.id)) {
        files.trash.putWithAccount(tx, deletion.takeProject(tx, project))
        continue
      }
      const isMaintainer = isOwn || project.maintainerIds?.includes(id) === true
      memberships.push({ projectId: project.id, isMaintainer })
      if (isOwn) continue
      projects.store.setRole(tx, project.id, id, null)
      projects.testers.endThoseBy(tx, project.id, id)
    }

    this.#deleteFiles(tx, id, given)
    for (const preview of data.library.collection('previews').values())
      if (preview.ownerId === id) projects.previews.remove(tx, preview)
    endRecords(data.library, files, tx, id)

    const record = {
      id,
      user: { ...user, passwordLink: undefined },
      deletedAt: data.clock.stamp().toISOString(),
      memberships,
      ended: { ...ended, handedOver: handOvers.size },
    }
    users.deleted.put(tx, record)
    return record
  }

  /** Trashes the files that are left. Their links went with their projects. */
  #deleteFiles(tx: Transaction, userId: string, given: ReadonlySet<string>): void {
    const { files, projects, deletion } = this.deps
    const isGone = ({ projectId }: { projectId: string }) =>
      projects.store.find(projectId)?.ownerId === userId

    const forPreviews = files.store.forPreviews().filter(({ ownerId }) => ownerId === userId)
    for (const file of [...files.store.ownedBy(userId), ...forPreviews]) {
      if (given.has(file.id)) continue
      const links = projects.store.links.ofFile(file.id).every(isGone) ? [] : undefined
      files.trash.putWithAccount(tx, deletion.takeFile(tx, file, links))
    }
  }
}

/** Throws `forbidden` for the host account. */
export function requireNoHost({ isHost }: Pick<UserRecord, 'isHost'>): void {
  if (!isHost) return
  throw new AppError(
    'forbidden',
    'The host account cannot be deleted, because nobody else could manage this host. To remove ' +
      'everything, quit Slipway and delete its data folder',
  )
}
