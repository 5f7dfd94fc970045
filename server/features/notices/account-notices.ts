import { isMailAddress } from '../../contract/fields'
import type { Sources } from '../../core/clock'
import type { Library, Transaction } from '../../data/library/library'
import { RecordChange } from '../../data/library/record-change'
import type { FactorRecord } from '../../data/records/account-records'
import type { AccountChange, News } from '../../data/records/notice-records'
import { requestPlace } from '../../http/pipeline/request-place'
import { knownBrowser } from '../../texts/host/browser-name'
import type { NoticeQueue } from './notice-queue'
import { paragraphs } from './write-notice'

/** One mail about each kind of change goes to an account in this time, in ms. */
const GAP_MS = 10 * 60_000

interface Deps {
  library: Library
  sources: Pick<Sources, 'now'>
  queue: NoticeQueue
  /** Whether this host sends mail. */
  isOn: () => boolean
}

/**
 * Tells people by mail that what opens their account was changed, whoever did it: a password, the
 * email address, a second factor, a recovery code, a link to a provider. Queued in the transaction
 * of the change, for the address that the account had before it.
 */
export function followAccounts({ library, sources, queue, isOn }: Deps): void {
  const users = library.collection('users')
  /** When a kind of change of an account was told last, in ms. */
  const told = new Map<string, number>()

  const tell = (tx: Transaction, userId: string, what: AccountChange) => {
    const user = users.get(userId)
    if (user?.disabledAt !== null || !isMailAddress(user.email)) return

    const now = sources.now().getTime()
    for (const [key, at] of told) if (Math.abs(now - at) >= GAP_MS) told.delete(key)
    const key = `${what} ${userId}`
    if (told.has(key)) return

    const news = { kind: 'account', userId, what, to: user.email, from: placeFor(userId) } as const
    queue.add(tx, { way: 'mail', news })
    tx.after(() => told.set(key, now))
  }

  const follow = (
    of: 'users' | 'factors' | 'identities',
    find: (change: RecordChange, library: Library) => Found,
  ) =>
    library.follow(
      'users',
      (tx, ops) => {
        if (!isOn()) return
        const change = new RecordChange(ops, library)
        const deleted = new Set(change.deletes('users'))
        for (const [userId, what] of find(change, library))
          if (!deleted.has(userId)) tell(tx, userId, what)
      },
      of,
    )

  follow('users', findNewOpeners)
  follow('factors', findNewFactors)
  follow('identities', findNewLinks)
}

/** A change of an account, as it is queued. */
export type AccountNews = Extract<News, { kind: 'account' }>

type Found = [userId: string, what: AccountChange][]

function findNewOpeners(change: RecordChange): Found {
  return change.puts('users').flatMap(([after, before]): Found => {
    if (!before) return []
    const hasPassword = after.passwordHash !== before.passwordHash
    const hasEmail = after.email !== before.email
    return [
      ...(hasPassword ? ([[after.id, 'password']] satisfies Found) : []),
      ...(hasEmail ? ([[after.id, 'email']] satisfies Found) : []),
    ]
  })
}

function findNewFactors(change: RecordChange, library: Library): Found {
  const factors = library.collection('factors')
  const changes = [
    ...change.puts('factors').map(([after, before]) => [after.id, before, after] as const),
    ...change.deletes('factors').map((id) => [id, factors.get(id), undefined] as const),
  ]
  return changes.flatMap(([id, before, after]): Found => {
    const [was, is] = [countOf(before), countOf(after)]
    if (is !== was) return [[id, is > was ? 'factor_added' : 'factor_removed']]

    const [old, left] = [before?.recoveryHashes ?? [], after?.recoveryHashes ?? []]
    if (left.some((hash) => !old.includes(hash))) return [[id, 'recovery_replaced']]
    return left.length < old.length ? [[id, 'recovery_used']] : []
  })
}

const countOf = (record: FactorRecord | undefined): number =>
  record === undefined ? 0 : record.passkeys.length + (record.codes === null ? 0 : 1)

function findNewLinks(change: RecordChange, library: Library): Found {
  const added = change.puts('identities').filter(([, before]) => before === undefined)
  const removed = change
    .deletes('identities')
    .flatMap((id) => library.collection('identities').get(id) ?? [])
  return [
    ...added.map(([{ userId }]): Found[number] => [userId, 'link_added']),
    ...removed.map(({ userId }): Found[number] => [userId, 'link_removed']),
  ]
}

/** Where a change comes from, as its person reads it. */
function placeFor(userId: string): string {
  const place = requestPlace()
  if (!place) return 'the command line of this host'
  if (place.userId !== undefined && place.userId !== userId) return 'the person who runs this host'
  // No text of the browser, which the client chooses.
  return `${place.address}, ${knownBrowser(place.userAgent) ?? 'an unknown browser'}`
}

const SUBJECTS: Readonly<Record<AccountChange, string>> = {
  password: 'Your password was changed',
  email: 'Your email address was changed',
  factor_added: 'A second factor was added to your account',
  factor_removed: 'A second factor was removed from your account',
  recovery_used: 'A recovery code of your account was used',
  recovery_replaced: 'The recovery codes of your account were replaced',
  link_added: 'Your account was linked to single sign-on',
  link_removed: 'Your account is no longer linked to single sign-on',
}

interface About {
  username: string
  hostName: string
  createdAt: string
  codesLeft: number
  /** The whole address of the page of the account. */
  page: string
}

/** Writes the mail about a change of an account. */
export function accountMail(
  { what, from }: AccountNews,
  { username, hostName, createdAt, codesLeft, page }: About,
): { subject: string; text: string } {
  const subject = SUBJECTS[what]
  const when = `${createdAt.slice(0, 16).replace('T', ' ')} UTC`
  const left =
    codesLeft === 0
      ? 'No recovery code is left. Create new ones on the Account page.'
      : `${codesLeft} recovery ${codesLeft === 1 ? 'code is' : 'codes are'} left.`

  const text = paragraphs(
    `${subject}.`,
    `Account: ${username} on ${hostName || 'Slipway'}\nWhen: ${when}\nFrom: ${from}`,
    what === 'recovery_used' ? left : '',
    'If this was you, you need to do nothing.',
    'If this was not you, someone else can open your account. Open this page, set a new ' +
      'password, which ends all other sessions, and check your second factors and API keys:',
    page,
    'If you cannot sign in, ask the person who runs this host for help now. Changes of the same ' +
      'kind within ten minutes send one email.',
  )
  return { subject, text }
}
