import { Notification } from 'electron'
import { cutText } from '../../server/texts/format'

const QUIET_MS = 10_000

export function gatherNews<News>(report: (news: News[]) => void): (news: News) => void {
  let waiting: News[] = []
  let timer: NodeJS.Timeout | undefined

  const flush = () => {
    timer = undefined
    if (waiting.length === 0) return
    report(waiting)
    waiting = []
    timer = setTimeout(flush, QUIET_MS).unref()
  }

  return (news) => {
    waiting.push(news)
    if (timer === undefined) flush()
  }
}

/** The most characters of a notification. */
const MAX_BODY = 200
const MAX_KEPT = 20
/** Holds references: a notification that is garbage-collected loses its click handler. */
const notifications: Notification[] = []

export function notify(title: string, body: string, onClick: () => void): boolean {
  if (!Notification.isSupported()) return false

  const text = body === title ? '' : plain(cutText(body, MAX_BODY))
  const notice = new Notification({ title, body: text })
  notice.on('click', onClick)
  notice.show()
  notifications.push(notice)
  if (notifications.length > MAX_KEPT) notifications.shift()
  return true
}

/** Linux renders the body as HTML; names must not become links there. */
const plain = (text: string) => text.replaceAll('<', '‹').replaceAll('>', '›')
