import { Notification } from 'electron'

/** A busy host does not talk without end: what comes within this time after a notice is told together, in ms. */
const QUIET_MS = 10_000

/** The first at once, those that follow closely together. */
export function gathered<News>(tell: (news: News[]) => void): (news: News) => void {
  let waiting: News[] = []
  let timer: NodeJS.Timeout | undefined
  const flush = () => {
    timer = undefined
    if (waiting.length === 0) return
    tell(waiting)
    waiting = []
    timer = setTimeout(flush, QUIET_MS).unref()
  }
  return (news) => {
    waiting.push(news)
    if (timer === undefined) flush()
  }
}

/** How many notifications can still be clicked. */
const MAX_KEPT = 20
/** The last ones: what nobody holds is collected, and then its click is never heard. */
const kept: Notification[] = []

/** Shows a notification of the system; false: it has none. */
export function notify(title: string, body: string, onClick: () => void): boolean {
  if (!Notification.isSupported()) return false
  const notice = new Notification({ title, body: body === title ? '' : plain(body.slice(0, 200)) })
  notice.on('click', onClick)
  notice.show()
  kept.push(notice)
  if (kept.length > MAX_KEPT) kept.shift()
  return true
}

/** Linux reads what stands below the title as HTML; names that people choose must make no links there. */
const plain = (text: string) => text.replaceAll('<', '‹').replaceAll('>', '›')
