import type { Accounts } from '../../compose/accounts'
import type { Projects } from '../../compose/projects'
import type { News, SubscriberRecord } from '../../data/records/notice-records'
import { releaseAddress } from '../../texts/release-address'

/** What a notice says, without where it leads. */
export interface NoticeText {
  /** One line. */
  subject: string
  text: string
  /** The whole address to open. */
  url: string
}

interface About {
  /** The title of the project. */
  title: string
  /** The whole address of the page where the subscriber asked. */
  page: string
}

type Told = Exclude<News, { kind: 'password' | 'account' | 'confirm' | 'digest' }>

/** Writes a notice in plain text: nothing in it is markup. */
export function writeNotice(news: Told, { title, page }: About): NoticeText {
  switch (news.kind) {
    case 'release': {
      const { version, channel, notes, isReminder } = news
      const on = channel === 'stable' ? '' : ` on ${channel}`
      const subject = `${title} ${version} is available${on}`
      const text = isReminder ? paragraphs(REMINDER, notes).trimEnd() : notes
      return { subject, text, url: releaseAddress(page, version) }
    }
    case 'answer':
      return { subject: `Answer to your report on ${title}`, text: news.text, url: page }
    case 'state': {
      const { state, fixedIn } = news
      const version = fixedIn === undefined ? '' : ` in ${fixedIn}`
      const end = state === 'fixed' ? `is fixed${version}` : 'was closed'
      return { subject: `Your report on ${title} ${end}`, text: '', url: page }
    }
    case 'approved':
      return { subject: `You can now test ${title}`, text: '', url: page }
  }
}

const REMINDER = 'You have an older version. The project team asks you to update.'

/** What a subscriber asked for, after `about`. */
export const wishTexts = {
  tester: 'new releases',
  report: 'answers to your report',
  request: 'your approval and new releases',
  account: 'new reports, requests for access and received files',
} as const

/** What a subscriber asked about, as its mails and its page name it. */
export function describeSubscriber(
  { target, projectId = '' }: SubscriberRecord,
  { accounts, projects }: { accounts: Accounts; projects: Projects },
): { title: string; about: string } | undefined {
  const wish = wishTexts[target.kind]
  if (target.kind === 'account') {
    const title = `${accounts.users.nameOf(target.id)}'s account`
    return { title, about: `${wish} in ${title}` }
  }
  const project = projects.store.find(projectId)
  return project && { title: project.title, about: `${wish} of ${project.title}` }
}

/** Joins paragraphs, without empty ones. */
export const paragraphs = (...texts: readonly string[]): string =>
  `${texts.filter((it) => it !== '').join('\n\n')}\n`
