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

/** Removes the subscribers of links and reports that a change deletes. */
export function forgetDeleted(
  tx: Transaction,
  ops: readonly Op[],
  library: Library,
  subscribers: SubscriberStore,
): void {
  const change = new RecordChange(ops, library)
  for (const id of change.deletes('testers')) subscribers.forgetTarget(tx, { kind: 'tester', id })
  for (const id of change.deletes('reports')) subscribers.forgetTarget(tx, { kind: 'report', id })
}

/** The testers who can see a release now, and could not before. */
function ofRelease(
  library: Library,
  subscribers: SubscriberStore,
  release: ReleaseRecord,
  before: ReleaseRecord | undefined,
): [SubscriberRecord, News][] {
  const { version, channel, projectId } = release
  const links = library.collection('testers')

  const isNewFor = ({ target }: SubscriberRecord): boolean => {
    const link = target.kind === 'tester' ? links.get(target.id) : undefined
    const isSeen = (it: ReleaseRecord | undefined) =>
      link !== undefined && it?.state === 'published' && isOn(link.channel, it)
    return isSeen(release) && !isSeen(before)
  }

  const news = {
    kind: 'release',
    version,
    channel,
    notes: cutText(release.notes, MOST_TEXT),
  } as const
  return subscribers
    .ofProject(projectId)
    .filter(isNewFor)
    .map((it) => [it, news])
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
