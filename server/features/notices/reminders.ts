import type { Rooms } from '../../compose/context'
import type { Reminded, Unreminded } from '../../contract/notices'
import { DAY_MS } from '../../core/clock'
import { compareVersions } from '../../core/versions'
import type { Transaction } from '../../data/library/library'
import type { SubscriberRecord } from '../../data/records/notice-records'
import type { ProjectRecord, ReleaseRecord, TesterRecord } from '../../data/records/project-records'
import { newestForTesters } from '../projects/project-view'
import { isBelow } from '../testers/tester-store'
import { toReleaseNews } from './find-news'
import { wasTold } from './subscriber-store'

type Deps = Rooms<'files' | 'host' | 'notices' | 'projects'>

/** A program that asked for updates within this time finds the release by itself, in ms. */
const UPDATER_MS = 7 * DAY_MS

/** A tester link with an old version, and whom of its people a notice reaches. */
interface Reminder {
  tester: TesterRecord
  /** The newest release that the link shows; undefined: none from the version on. */
  release: ReleaseRecord | undefined
  subscribers: SubscriberRecord[]
  reason: Unreminded | null
}

/** Finds who of the testers below a version hears of the newest release that they may have. */
export function planReminders(
  { files, host, notices, projects }: Deps,
  project: ProjectRecord,
  below: string,
): Reminder[] {
  const { subscribers, queue, mailer } = notices
  const now = host.sources.now()
  const old = projects.testers
    .ofTarget(project.id)
    .filter((tester) => projects.testers.isCurrent(tester) && isBelow(tester, below))

  const newest = newestForTesters(
    { files, projects },
    project,
    old.map(({ channel }) => channel),
  )

  const isFree = (subscriber: SubscriberRecord, { version }: ReleaseRecord) =>
    !wasTold(subscriber, version, now) && !queue.hasRelease(subscriber.id)

  const hasUpdater = (id: string): boolean => {
    const { lastAskedAt } = files.counts.ofAccessLink(id)
    return lastAskedAt !== null && now.getTime() - Date.parse(lastAskedAt) < UPDATER_MS
  }

  return old.map((tester) => {
    const release = newest.get(tester.channel)
    if (!release || compareVersions(release.version, below) < 0)
      return { tester, release: undefined, subscribers: [], reason: 'not_shown' }

    const all = subscribers.ofTarget({ kind: 'tester', id: tester.id })
    const reached = all.filter(({ way }) => way.kind === 'push' || mailer.isOn())
    const free = reached.filter((it) => isFree(it, release))
    if (all.length === 0)
      return {
        tester,
        release,
        subscribers: [],
        reason: hasUpdater(tester.id) ? 'updater' : 'no_address',
      }
    if (reached.length === 0) return { tester, release, subscribers: [], reason: 'mail_off' }
    return { tester, release, subscribers: free, reason: free.length === 0 ? 'told' : null }
  })
}

/** Queues the notices of a plan. */
export function sendReminders(
  { notices }: Deps,
  tx: Transaction,
  reminders: readonly Reminder[],
): void {
  for (const { release, subscribers } of reminders) {
    if (!release) continue
    const news = { ...toReleaseNews(release), isReminder: true } as const
    for (const subscriber of subscribers) notices.tell(tx, subscriber, news)
  }
}

/** For owners: numbers and reasons, and no addresses. */
export const presentReminders = (reminders: readonly Reminder[]): Reminded => ({
  ...countWays(reminders.flatMap(({ subscribers }) => subscribers)),
  testers: reminders.map(({ tester, release, subscribers, reason }) => ({
    tester_id: tester.id,
    name: tester.name,
    version: release?.version ?? null,
    ...countWays(subscribers),
    reason,
  })),
})

function countWays(subscribers: readonly SubscriberRecord[]) {
  const mails = subscribers.filter(({ way }) => way.kind === 'mail').length
  return { mails, browsers: subscribers.length - mails }
}
