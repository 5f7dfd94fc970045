import type { Reminded, Unreminded } from '../contract/notices'
import { formatQuantity, joinWords } from './format'

/** The most names in a line. */
const MOST_NAMES = 5

const reasonTexts: Readonly<Record<Unreminded, string>> = {
  told: 'notified in the last 24 hours, or about to be',
  no_address: 'no confirmed email address or browser',
  updater: 'no confirmed email address or browser, but a program that checks for updates',
  mail_off: 'this host sends no email',
  not_shown: 'their channel has no release of this version or later',
}

/** `2 emails and 1 notification`; empty: nobody is told. */
export function countNotices({ mails, browsers }: Pick<Reminded, 'mails' | 'browsers'>): string {
  const counts = [
    ...(mails === 0 ? [] : [formatQuantity(mails, 'email')]),
    ...(browsers === 0 ? [] : [formatQuantity(browsers, 'notification')]),
  ]
  return counts.length === 0 ? '' : joinWords(counts)
}

/** Says which testers are not told, and why: a line for each reason. */
export const listUnreminded = ({ testers }: Reminded): string[] =>
  (Object.keys(reasonTexts) as Unreminded[]).flatMap((reason) => {
    const names = testers.filter((it) => it.reason === reason).map(({ name }) => name)
    return names.length === 0 ? [] : [`${joinNames(names)}: ${reasonTexts[reason]}`]
  })

/** Names the versions of which notices tell: `1.5.0 or 1.4.2`. */
export const nameTold = ({ testers }: Reminded): string => {
  const versions = testers.flatMap(({ mails, browsers, version }) =>
    mails + browsers > 0 && version ? [version] : [],
  )
  return joinWords(new Set(versions), 'disjunction')
}

function joinNames(names: readonly string[]): string {
  const more = names.length - MOST_NAMES
  const shown = names.slice(0, MOST_NAMES)
  const all = more > 0 ? [...shown, formatQuantity(more, 'other link')] : shown
  return joinWords(all)
}
