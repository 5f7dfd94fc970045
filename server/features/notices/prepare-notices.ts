import type { Accounts } from '../../compose/accounts'
import type { Foundation } from '../../compose/foundation'
import type { Network } from '../../compose/network'
import type { Projects } from '../../compose/projects'
import { routes } from '../../contract/routes'
import type { News, NoticeRecord, SubscriberRecord } from '../../data/records/notice-records'
import { findLiveProject } from '../projects/live-project'
import { linkAddress } from '../../network/link-address'
import { accountMail, type AccountNews } from './account-notices'
import type { Mail, Mailer } from './mailer'
import type { Sending } from './notice-sender'
import type { Pusher, PushMessage } from './pusher'
import type { SubscriberStore } from './subscriber-store'
import { writeDigest } from './write-digest'
import { describeSubscriber, paragraphs, writeNotice } from './write-notice'

/** What notices tell of. */
export interface NoticeDeps {
  accounts: Accounts
  projects: Projects
  network: Network
}

interface Parts {
  subscribers: SubscriberStore
  mailer: Mailer
  pusher: Pusher
}

/** Writes notices when they are sent, with the names and rights of that moment. */
export function prepareNotices(foundation: Foundation, deps: NoticeDeps, parts: Parts) {
  const { subscribers, mailer, pusher } = parts
  const { library } = foundation.data
  const { network } = deps
  const addressOf = (path: string) => linkAddress(network, path)
  const sendMail =
    (mail: Mail): Sending =>
    () =>
      mailer.send(mail)
  const writer = new AccountMails(foundation, deps, addressOf)

  return async (notice: NoticeRecord): Promise<Sending | undefined> => {
    const { id, news, subscriberId = '' } = notice
    if (news.kind === 'password' || news.kind === 'account') {
      const mail =
        news.kind === 'password'
          ? writer.writePasswordMail(id, news.userId)
          : writer.writeChange(notice, news)
      return mail && sendMail(mail)
    }

    const subscriber = subscribers.find(subscriberId)
    const links = subscriber && subscribers.linksOf(subscriber)
    if (!subscriber || !links || !isOpen(foundation, deps, subscriber)) return undefined

    const { title, about } = describeSubscriber(subscriber, deps) ?? { title: '', about: '' }
    const { way } = subscriber
    const own = `/n/${links.token}`
    if (news.kind === 'digest') {
      const digest = writeDigest({ ...deps, library, addressOf }, subscriber.target.id, news.items)
      if (!digest || way.kind !== 'mail') return undefined
      const mail = withEnd(digest, { about, own: addressOf(own) })
      // A mailbox drops one that comes twice, but not one that has grown before it was sent again.
      return sendMail({ ...mail, id: `${id}-${news.items.length}`, to: way.address })
    }

    if (way.kind === 'mail') {
      const mail = writeMail(news, {
        ...{ title, about, page: addressOf(links.page), own: addressOf(own) },
      })
      return sendMail({ id, to: way.address, ...mail })
    }

    if (news.kind === 'confirm') return undefined
    const { subject, text, url: path } = writeNotice(news, { title, page: links.page })
    // A newer release replaces one that still waits for the browser.
    const topic = news.kind === 'release' ? subscriberId : id
    const message: PushMessage = { id, topic, title: subject, text, path, end: `${own}/end` }
    return () => pusher.send(way, message)
  }
}

/** Whether what a subscriber asked about is still open to them. */
function isOpen(
  { data }: Foundation,
  { accounts, projects }: NoticeDeps,
  { target, projectId, way }: SubscriberRecord,
): boolean {
  if (target.kind === 'account') {
    const user = accounts.users.find(target.id)
    return user?.disabledAt === null && way.kind === 'mail' && way.address === user.email
  }
  if (!findLiveProject({ accounts, projects }, projectId)) return false
  if (target.kind === 'report') return projects.reports.find(target.id) !== undefined
  if (target.kind === 'request') return projects.accessRequests.find(target.id) !== undefined
  const link = data.library.collection('testers').get(target.id)
  return link !== undefined && projects.testers.isCurrent(link)
}

/** Writes the mails to people with an account. */
class AccountMails {
  constructor(
    private readonly foundation: Foundation,
    private readonly deps: NoticeDeps,
    private readonly addressOf: (path: string) => string,
  ) {}

  /** A link that sets a new password; undefined: the account is disabled or gone. */
  writePasswordMail(id: string, userId: string): Mail | undefined {
    const { users } = this.deps.accounts
    const user = users.find(userId)
    if (user?.disabledAt !== null) return undefined

    const token = users.writePasswordLink(user)
    const text = paragraphs(
      `Open this page within one hour to set a new password for ${user.username}'s account:`,
      this.addressOf(`${routes.newPassword}?link=${token}`),
      'If you did not ask for it, do nothing: your password stays as it is.',
    )
    return { id, to: user.email, subject: 'Your link for a new password', text }
  }

  /** What changed in an account; undefined: it is gone. */
  writeChange({ id, createdAt }: NoticeRecord, news: AccountNews): Mail | undefined {
    const { users, factors } = this.deps.accounts
    const user = users.find(news.userId)
    if (!user) return undefined

    const { settings } = this.foundation.data
    const mail = accountMail(news, {
      ...{ username: user.username, hostName: settings.get().host_name, createdAt },
      codesLeft: factors.find(user.id).recoveryHashes.length,
      page: this.addressOf(routes.account),
    })
    return { id, to: news.to, ...mail }
  }
}

interface MailAbout {
  /** Of the project. */
  title: string
  /** What the person asked to hear of. */
  about: string
  /** Addresses of the page where they asked, and of the one that ends the mails. */
  page: string
  own: string
}

/** Writes a mail to a subscriber. */
function writeMail(
  news: Parameters<typeof writeNotice>[0] | (News & { kind: 'confirm' }),
  { title, about, page, own }: MailAbout,
): Omit<Mail, 'id' | 'to'> {
  if (news.kind === 'confirm') {
    const text = paragraphs(
      `Someone entered this address to get emails about ${about}. If that was you, open this ` +
        'page within 24 hours and confirm it:',
      own,
      'Otherwise do nothing: this address gets no such emails.',
    )
    return { subject: `Confirm your address for ${title}`, text }
  }

  const { subject, text, url } = writeNotice(news, { title, page })
  return withEnd({ subject, text: paragraphs(`${subject}.`, text, url) }, { about, own })
}

/** Ends a mail with the link that stops these mails. */
const withEnd = (
  { subject, text }: Pick<Mail, 'subject' | 'text'>,
  { about, own }: Pick<MailAbout, 'about' | 'own'>,
) => ({
  subject,
  text: `${text}\n-- \nYou asked this host for emails about ${about}. Stop them: ${own}\n`,
  endUrl: `${own}/end`,
})
