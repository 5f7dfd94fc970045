import { z } from 'zod'
import { id, isMailAddress, time } from '../../contract/fields'
import { text, tokenHash } from './fields'

const short = z.string().max(2000)

/** What a subscriber asked about. */
const target = z.object({
  kind: z.enum(['tester', 'report', 'request']),
  /** Of the tester link, the report, or the request for access. */
  id,
})
export type NoticeTarget = z.infer<typeof target>

/** Where its notices go. */
const way = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('mail'), address: z.string().refine(isMailAddress) }),
  z.object({
    kind: z.literal('push'),
    endpoint: z.url({ protocol: /^https?$/ }).max(1000),
    /** The keys of the browser, base64url (RFC 8291 §3.1). */
    p256dh: z.string().max(200),
    auth: z.string().max(100),
  }),
])
export type NoticeWay = z.infer<typeof way>

/** A mail address or a browser that gets notices. */
export type SubscriberRecord = z.infer<typeof subscriberRecord>

export const subscriberRecord = z.object({
  id,
  projectId: id,
  target,
  way,
  /** Of the token in the links of its notices, which is also sealed, as in other links. */
  tokenHash,
  sealedToken: text,
  /** The path of the page where it asked, sealed: it contains a secret. */
  sealedPage: text,
  /** When it last asked. */
  askedAt: time,
  /** Undefined: nobody has confirmed the address. */
  confirmedAt: time.optional(),
  /** When the last notice of a release was sent, to leave some time between two. */
  releaseSentAt: time.optional(),
  /** Notices in a row that its server refused. */
  refusals: z.int().nonnegative(),
})

/** What a notice says, with the names at that time. */
const news = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('confirm') }),
  z.object({
    kind: z.literal('release'),
    version: short,
    channel: short,
    notes: short,
  }),
  z.object({ kind: z.literal('answer'), text: short }),
  z.object({ kind: z.literal('state'), state: short, fixedIn: short.optional() }),
  z.object({ kind: z.literal('approved') }),
  /** The link is made when the mail is sent, so that the queue has no secret. */
  z.object({ kind: z.literal('password'), userId: id }),
])
export type News = z.infer<typeof news>

/** A message on its way. A sent one is deleted. */
export type NoticeRecord = z.infer<typeof noticeRecord>

export const noticeRecord = z.object({
  /** Also the id of the mail, by which mailboxes drop one that was sent twice. */
  id,
  way: z.enum(['mail', 'push']),
  /** Undefined for the mail about a password. */
  subscriberId: id.optional(),
  /** Undefined: of the host itself. */
  projectId: id.optional(),
  news,
  createdAt: time,
  tries: z.int().nonnegative(),
  nextTryAt: time,
})
