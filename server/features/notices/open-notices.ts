import type { Accounts } from '../../compose/accounts'
import type { Foundation } from '../../compose/foundation'
import type { Network } from '../../compose/network'
import type { Projects } from '../../compose/projects'
import { routes } from '../../contract/routes'
import type { Transaction } from '../../data/library/library'
import type {
  News,
  NoticeRecord,
  NoticeTarget,
  SubscriberRecord,
} from '../../data/records/notice-records'
import { linkAddress } from '../../network/link-address'
import { findNews, forgetDeleted } from './find-news'
import { Mailer, type Mail } from './mailer'
import { NoticeQueue } from './notice-queue'
import { NoticeSender, type Sending } from './notice-sender'
import { SubscriberStore } from './subscriber-store'
import { paragraphs, wishTexts, writeNotice } from './write-notice'

/** The least time between two notices of releases to one subscriber, in ms. */
const RELEASE_GAP_MS = 3_600_000

interface Deps {
  accounts: Accounts
  projects: Projects
  network: Network
}

/**
 * Opens the notices to people without an account: mails about releases, answers and requests. A
 * notice is queued in the transaction of the change that it tells of.
 */
export function openNotices(foundation: Foundation, deps: Deps) {
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
    forgetDeleted(tx, ops, library, subscribers)
    for (const [subscriber, news] of found) add(tx, subscriber, news)
  })

  const sender = new NoticeSender({
    ...{ library, queue, subscribers, sources, log },
    lanes: {
      mail: {
        most: 1,
        isOpen: () => mailer.isOn(),
        perHour: () => settings.get().mails_per_hour,
      },
      push: { most: 0, isOpen: () => false },
    },
    prepare: prepareNotices(foundation, deps, { subscribers, mailer }),
  })

  return {
    subscribers,
    queue,
    mailer,
    sender,
    /** Queues news for those who wait for it, in the transaction that makes it. */
    tell(tx: Transaction, target: NoticeTarget, news: News): void {
      for (const subscriber of subscribers.ofTarget(target)) add(tx, subscriber, news)
    },
  }
}

interface Parts {
  subscribers: SubscriberStore
  mailer: Mailer
}

/** Writes notices when they are sent, with the names and rights of that moment. */
function prepareNotices(
  { data }: Foundation,
  { accounts, projects, network }: Deps,
  { subscribers, mailer }: Parts,
) {
  const addressOf = (path: string) => linkAddress(network, path)
  const sendMail =
    (mail: Mail): Sending =>
    () =>
      mailer.send(mail)

  /** Whether what a subscriber asked about is still open to them. */
  const isOpen = ({ target, projectId }: SubscriberRecord): boolean => {
    const project = projects.store.find(projectId)
    if (project?.id !== projectId || !accounts.users.isActive(project.ownerId)) return false
    if (target.kind === 'report') return projects.reports.find(target.id) !== undefined
    if (target.kind === 'request') return true
    const link = data.library.collection('testers').get(target.id)
    return link !== undefined && projects.testers.isCurrent(link)
  }

  const forAccount = async (id: string, userId: string): Promise<Sending | undefined> => {
    const user = accounts.users.find(userId)
    if (user?.disabledAt !== null) return undefined
    const { token } = await accounts.users.createPasswordLink(userId)
    return sendMail({ id, to: user.email, ...passwordMail(user.username, addressOf, token) })
  }

  return async (notice: NoticeRecord): Promise<Sending | undefined> => {
    const { id, news, subscriberId = '' } = notice
    if (news.kind === 'password') return forAccount(id, news.userId)

    const subscriber = subscribers.find(subscriberId)
    const links = subscriber && subscribers.linksOf(subscriber)
    if (!subscriber || !links || !isOpen(subscriber)) return undefined
    const { title } = projects.store.find(subscriber.projectId) ?? { title: '' }
    const { way, target } = subscriber
    if (way.kind !== 'mail') return undefined

    const own = `/n/${links.token}`
    const to = way.address
    const wish = `${wishTexts[target.kind]} of ${title}`
    if (news.kind === 'confirm')
      return sendMail({ id, to, ...confirmMail(title, wish, addressOf(own)) })

    const { subject, text, url } = writeNotice(news, { title, page: addressOf(links.page) })
    const end = addressOf(own)
    const body = paragraphs(
      `${subject}.`,
      text,
      url,
      `-- \nYou asked this host for mails about ${wish}. Stop them: ${end}`,
    )
    return sendMail({ id, to, subject, text: body, endUrl: `${end}/end` })
  }
}

const confirmMail = (title: string, wish: string, url: string) => ({
  subject: `Confirm your address for ${title}`,
  text: paragraphs(
    `Someone entered this address to get mails about ${wish}. If that was you, open this page ` +
      'within 24 hours and confirm it:',
    url,
    'Otherwise do nothing: this address gets no such mails.',
  ),
})

const passwordMail = (username: string, addressOf: (path: string) => string, token: string) => ({
  subject: 'Your link for a new password',
  text: paragraphs(
    `Open this page within one hour to set a new password for the account ${username}:`,
    addressOf(`${routes.newPassword}?link=${token}`),
    'If you did not ask for it, do nothing: your password stays as it is.',
  ),
})
