import { randomBytes } from 'node:crypto'
import type { AppContext, Rooms } from '../../compose/context'
import type { DeletedPerson, Person } from '../../contract'
import type { Tier } from '../../contract/limits'
import { routes } from '../../contract/routes'
import { AppError, notFound } from '../../core/errors'
import type { UserRecord } from '../../data/records/account-records'
import type { TrashRecord } from '../../data/records/trash-record'
import { linkAddress } from '../../network/link-address'
import { requireRestorable, type RestorableAccount } from '../accounts/deleted-accounts'

/** Writes a change of an account to the audit log. */
export type Note = (happening: Parameters<AppContext['accounts']['audit']['record']>[1]) => void

const presenter =
  ({ accounts: { factors, identities }, files: { store, quota } }: Rooms<'accounts' | 'files'>) =>
  (user: UserRecord): Person =>
    presentPerson(user, {
      files: store.countOf(user.id),
      used: quota.used(user.id),
      has_factor: factors.has(user.id),
      has_identity: identities.has(user.id),
    })

/** Manages accounts, for the People page and the command line. */
export function managePeople(rooms: Rooms<'accounts' | 'deletion' | 'files' | 'network'>) {
  const { users, passwords, sessionStore, factors, identities } = rooms.accounts
  const present = presenter(rooms)
  const find = (id: string) => {
    const user = users.find(id)
    if (!user) throw notFound('User')
    return user
  }

  return {
    ...manageDeleted(rooms, present),

    list(): Person[] {
      return users.all().map(present)
    },

    /**
     * Changes an account. Undefined keeps a value. Throws `not_found`, and `invalid_input` for
     * disabling the host account.
     */
    async change(
      id: string,
      changes: { tier?: Tier | undefined; disabled?: boolean | undefined },
      note: Note,
    ) {
      const user = find(id)
      if (changes.disabled === true && user.isHost) {
        throw new AppError('invalid_input', 'The host account cannot be disabled', 'disabled')
      }

      const changed = await users.change(user.id, changes)
      noteChange(user, changed, note)
      return present(changed)
    },

    /** Sets a new password and ends all sessions of the account. Throws `not_found` and `busy`. */
    async resetPassword(id: string, note: Note): Promise<{ password: string; person: Person }> {
      const user = find(id)
      const password = randomBytes(12).toString('base64url')

      const changed = await users.setPassword(user.id, await passwords.hash(password, 'host'))
      note({ kind: 'password_reset', concerns: user.id, subject: user.username })
      return { password, person: present(changed) }
    },

    /** Removes the second factors of an account and ends its sessions. Throws `not_found`. */
    async removeFactors(id: string, note: Note): Promise<Person> {
      const user = find(id)
      await factors.removeAll(user.id, (tx) => sessionStore.drop(tx, user.id))
      note({ kind: 'factor_remove', concerns: user.id, subject: user.username })
      return present(user)
    },

    /** Unlinks an account from single sign-on and ends its sessions. Throws `not_found`. */
    async unlink(id: string, note: Note): Promise<Person> {
      const user = find(id)
      await identities.remove(user.id, (tx) => sessionStore.drop(tx, user.id))
      note({ kind: 'sso_unlink', concerns: user.id, subject: user.username })
      return present(user)
    },

    /** Creates a link by which the person sets a new password. Throws `not_found`. */
    async createPasswordLink(id: string, note: Note): Promise<{ url: string; expiresAt: string }> {
      const user = find(id)
      const { token, expiresAt } = await users.createPasswordLink(user.id)
      note({ kind: 'password_link_create', concerns: user.id, subject: user.username })

      const url = linkAddress(rooms.network, `${routes.newPassword}?link=${token}`)
      return { url, expiresAt }
    },
  }
}

/** The same for accounts that their owners deleted. */
function manageDeleted(
  {
    accounts: { users },
    deletion: { accounts: deletion },
    files: { trash },
  }: Rooms<'accounts' | 'deletion' | 'files'>,
  present: (user: UserRecord) => Person,
) {
  return {
    /** Lists the deleted accounts that can be restored. */
    deleted(): DeletedPerson[] {
      return users.deleted
        .restorable()
        .map((account) =>
          presentDeleted(account, users.deleted.expiresAt(account), trash.ofAccount(account.id)),
        )
    },

    /** Restores a deleted account. Throws `not_found` and `too_many_records`. */
    async restore(id: string, note: Note): Promise<Person> {
      const user = await deletion.restore(id)
      note({ kind: 'account_restore', concerns: user.id, subject: user.username })
      return present(user)
    },

    /** Removes a deleted account permanently. Throws `not_found`. */
    async erase(id: string, note: Note): Promise<void> {
      await deletion.removal.remove(requireRestorable(users.deleted.find(id)).id, note)
    },
  }
}

function noteChange(before: UserRecord, after: UserRecord, note: Note): void {
  const about = { concerns: before.id, subject: before.username }
  if (after.tier !== before.tier)
    note({ kind: 'tier_change', ...about, detail: `${before.tier} → ${after.tier}` })
  const wasDisabled = before.disabledAt !== null
  const isDisabled = after.disabledAt !== null
  if (wasDisabled !== isDisabled)
    note({ kind: isDisabled ? 'account_disable' : 'account_enable', ...about })
}

const presentPerson = (
  user: UserRecord,
  known: Pick<Person, 'files' | 'used' | 'has_factor' | 'has_identity'>,
): Person => ({
  ...known,
  user_id: user.id,
  username: user.username,
  email: user.email,
  tier_name: user.tier,
  is_host: user.isHost,
  disabled: user.disabledAt !== null,
  created_at: user.createdAt,
})

function presentDeleted(
  { id, user, deletedAt, ended }: RestorableAccount,
  expiresAt: string,
  trash: readonly TrashRecord[],
): DeletedPerson {
  const live = trash.filter(({ withAccount }) => withAccount === 'live')
  const count = (kind: TrashRecord['kind']) => live.filter((it) => it.kind === kind).length

  return {
    user_id: id,
    username: user.username,
    email: user.email,
    deleted_at: deletedAt,
    expires_at: expiresAt,
    projects: count('project'),
    files: count('file'),
    size: trash.reduce((sum, { size }) => sum + size, 0),
    ended: {
      api_keys: ended.apiKeys,
      file_requests: ended.fileRequests,
      handed_over: ended.handedOver,
    },
  }
}
