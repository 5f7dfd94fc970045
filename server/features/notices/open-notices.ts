import type { Foundation } from '../../compose/foundation'
import type { Transaction } from '../../data/library/library'
import type { News, SubscriberRecord } from '../../data/records/notice-records'
import { linkAddress } from '../../network/link-address'
import { SendingSlots } from '../webhooks/sending-slots'
import { followAccounts } from './account-notices'
import { Digests } from './digests'
import { findNews, moveAndForget } from './find-news'
import { Mailer } from './mailer'
import { NoticeQueue } from './notice-queue'
import { NoticeSender } from './notice-sender'
import { prepareNotices, type NoticeDeps } from './prepare-notices'
import { Pusher } from './pusher'
import { SubscriberStore } from './subscriber-store'

/** The least time between two notices of releases to one subscriber, in ms. */
const RELEASE_GAP_MS = 3_600_000

/**
 * Opens the notices: mails, and messages to browsers, to people without an account about releases,
 * answers and requests, and mails to accounts about changes of what opens them and, where they ask
 * for it, about what waits for them. A notice is queued in the transaction of the change that it
 * tells of.
 */
export function openNotices(foundation: Foundation, deps: NoticeDeps) {
  const { data, sources, log } = foundation
  const { library, settings, secrets } = data
  const { network } = deps

  const queue = new NoticeQueue(library, sources)
  const { sessionKeys } = secrets
  const subscribers = new SubscriberStore(library, { sources, sessionKeys, queue })
  const mailer = new Mailer({
    settings: () => settings.get(),
    password: () => secrets.mailPassword,
    origin: () => linkAddress(network, ''),
  })
  const pusher = new Pusher({
    sessionKeys,
    mayReach: network.mayReach,
    origin: () => linkAddress(network, ''),
    now: () => sources.now(),
  })

  const add = (tx: Transaction, subscriber: SubscriberRecord, news: News) => {
    const { id: subscriberId, projectId, way, releaseSentAt = '' } = subscriber
    const isSoon = news.kind === 'release' && releaseSentAt !== ''
    const notBefore = isSoon
      ? new Date(Date.parse(releaseSentAt) + RELEASE_GAP_MS).toISOString()
      : undefined
    queue.add(tx, { way: way.kind, subscriberId, projectId, news, notBefore })
  }

  library.follow('subscribers', (tx, ops) => {
    const found = findNews(ops, library, subscribers)
    const approved = moveAndForget(tx, ops, library, subscribers)
    for (const [subscriber, news] of found) add(tx, subscriber, news)
    for (const subscriber of approved) add(tx, subscriber, { kind: 'approved' })
  })

  followAccounts({ library, sources, queue, isOn: () => mailer.isOn() })

  const digests = new Digests({
    ...{ library, sources, queue, subscribers },
    isOn: () => mailer.isOn(),
  })
  digests.follow()

  const sender = new NoticeSender({
    ...{ library, queue, subscribers, digests, sources, log },
    lanes: openLanes(mailer, () => settings.get().mails_per_hour),
    ownerOf: (id) => deps.projects.store.find(id)?.ownerId,
    prepare: prepareNotices(foundation, deps, { subscribers, mailer, pusher }),
  })

  return {
    subscribers,
    queue,
    mailer,
    pusher,
    digests,
    sender,
    /** Queues news for a subscriber, in the transaction that makes it. */
    tell: add,
  }
}

/** A mail server gets one mail at a time, and push services several messages. */
const openLanes = (mailer: Mailer, perHour: () => number) => ({
  mail: {
    slots: new SendingSlots({ most: 1, perAccount: 1, slow: 1 }),
    isOpen: () => mailer.isOn(),
    perHour,
  },
  push: { slots: new SendingSlots({ most: 8, perAccount: 2, slow: 4 }), isOpen: () => true },
})
