import { cutText } from '../../texts/format'
import type { Library, Transaction } from '../../data/library/library'
import type { Op } from '../../data/library/library-data'
import { RecordChange } from '../../data/library/record-change'
import type { News, SubscriberRecord } from '../../data/records/notice-records'
import type { ReleaseRecord } from '../../data/records/project-records'
import type { ReportRecord } from '../../data/records/report-records'
import { isOn } from '../projects/release-store'
import type { SubscriberStore } from './subscriber-store'

/** The most characters of notes and answers in a notice. */
const MOST_TEXT = 1500

/** Finds who hears of a change, before it applies. A restore from the trash is no news. */
export function findNews(
  ops: readonly Op[],
  library: Library,
  subscribers: SubscriberStore,
): [SubscriberRecord, News][] {
  const change = new RecordChange(ops, library)
  if (change.isRestore) return []

  return [
    ...change
      .puts('releases')
      .flatMap(([release, before]) => ofRelease(library, subscribers, release, before)),
    ...change.puts('reports').flatMap(([report, before]) => {
      const news = before && ofReport(report, before)
      if (!news) return []
      const reporters = subscribers.ofTarget({ kind: 'report', id: report.id })
      return reporters.map((it): [SubscriberRecord, News] => [it, news])
    }),
  ]
}

/**
 * Removes the subscribers of links, reports, requests and accounts that a change deletes, and those
 * of an account that gets another address. Those of a request that is approved stay, at its tester
 * link. Returns them.
 */
export function moveAndForget(
  tx: Transaction,
  ops: readonly Op[],
  library: Library,
  subscribers: SubscriberStore,
): SubscriberRecord[] {
  const change = new RecordChange(ops, library)
  const approved = new Map(findApproved(change, library))
  const told = [...approved].flatMap(([request, tester]) =>
    subscribers.move(tx, { kind: 'request', id: request }, { kind: 'tester', id: tester }),
  )

  for (const id of change.deletes('accessRequests'))
    if (!approved.has(id)) subscribers.forgetTarget(tx, { kind: 'request', id })
  for (const [user, before] of change.puts('users'))
    if (before && user.email !== before.email)
      subscribers.forgetTarget(tx, { kind: 'account', id: user.id })
  for (const id of change.deletes('users')) subscribers.forgetTarget(tx, { kind: 'account', id })
  for (const id of change.deletes('testers')) subscribers.forgetTarget(tx, { kind: 'tester', id })
  for (const id of change.deletes('reports')) subscribers.forgetTarget(tx, { kind: 'report', id })
  return told
}

/** The testers who can see a release now, and could not before. */
function ofRelease(
  library: Library,
  subscribers: SubscriberStore,
  release: ReleaseRecord,
  before: ReleaseRecord | undefined,
): [SubscriberRecord, News][] {
  const links = library.collection('testers')

  const isNewFor = ({ target }: SubscriberRecord): boolean => {
    const link = target.kind === 'tester' ? links.get(target.id) : undefined
    const isSeen = (it: ReleaseRecord | undefined) =>
      link !== undefined && it?.state === 'published' && isOn(link.channel, it)
    return isSeen(release) && !isSeen(before)
  }

  const news = toReleaseNews(release)
  return subscribers
    .ofProject(release.projectId)
    .filter(isNewFor)
    .map((it) => [it, news])
}

/** What a notice says of a release. */
export const toReleaseNews = ({ version, channel, notes }: ReleaseRecord) =>
  ({ kind: 'release', version, channel, notes: cutText(notes, MOST_TEXT) }) as const

/** The tester links into which requests for access turn, with their requests. */
function* findApproved(change: RecordChange, library: Library): Iterable<[string, string]> {
  const requests = library.collection('accessRequests')
  const deleted = change.deletes('accessRequests').map((id) => requests.get(id))

  for (const [tester, before] of change.puts('testers')) {
    const request = before ? undefined : deleted.find((it) => it?.tokenHash === tester.tokenHash)
    if (request) yield [request.id, tester.id]
  }
}

/** An answer of the team, or the end of a report; its start is no news. */
function ofReport(report: ReportRecord, before: ReportRecord): News | undefined {
  const { state, fixedIn } = report
  const reply = report.replies.at(before.replies.length)
  if (reply?.userId !== undefined) return { kind: 'answer', text: cutText(reply.text, MOST_TEXT) }

  const isSame = state === before.state && fixedIn === before.fixedIn
  if (isSame || (state !== 'fixed' && state !== 'closed')) return undefined
  return { kind: 'state', state, ...(fixedIn !== undefined && { fixedIn }) }
}
