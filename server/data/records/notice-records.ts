import { z } from 'zod'
import { id, isMailAddress, time } from '../../contract/fields'
import { text, tokenHash } from './fields'

/** The most versions of which a subscriber was told within a day. */
export const TOLD_KEPT = 30
/** The most items that a digest names. */
export const DIGEST_MAX = 100

const short = z.string().max(2000)

/** What a subscriber asked about. */
const target = z.object({
  kind: z.enum(['tester', 'report', 'request', 'account']),
  /** Of the tester link, the report, the request for access, or the account. */
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
  /** Undefined: of an account. */
  projectId: id.optional(),
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
  /** The versions of the notices of the last day, to tell of each once. */
  told: z
    .array(z.object({ version: short, at: time }))
    .max(TOLD_KEPT)
    .optional(),
  /** When the last digest was sent, and the pause after it, in ms. */
  digest: z.object({ sentAt: time, pauseMs: z.int().positive() }).optional(),
  /** Notices in a row that its server refused. */
  refusals: z.int().nonnegative(),
})

/** What a person hears of a change of their account. */
const accountChange = z.enum([
  'password',
  'email',
  'factor_added',
  'factor_removed',
  'recovery_used',
  'recovery_replaced',
  'link_added',
  'link_removed',
])
export type AccountChange = z.infer<typeof accountChange>

/** What came for an account. It is looked up again when its digest is sent. */
const digestItem = z.object({ kind: z.enum(['report', 'request', 'file']), id })
export type DigestItem = z.infer<typeof digestItem>

/** What a notice says, with the names at that time. */
const news = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('confirm') }),
  z.object({
    kind: z.literal('release'),
    version: short,
    channel: short,
    notes: short,
    /** A member sent it to those who have an older version. */
    isReminder: z.literal(true).optional(),
  }),
  z.object({ kind: z.literal('answer'), text: short }),
  z.object({ kind: z.literal('state'), state: short, fixedIn: short.optional() }),
  z.object({ kind: z.literal('approved') }),
  /** Of an account. What comes before it is sent is added. */
  z.object({ kind: z.literal('digest'), items: z.array(digestItem).max(DIGEST_MAX) }),
  /** The link is made when the mail is sent, so that the queue has no secret. */
  z.object({ kind: z.literal('password'), userId: id }),
  /** `to`: the address before the change. `from`: where it came from, in words. */
  z.object({
    ...{ kind: z.literal('account'), userId: id, what: accountChange },
    ...{ to: z.string(), from: short },
  }),
])
export type News = z.infer<typeof news>

/** A message on its way. A sent one is deleted. */
export type NoticeRecord = z.infer<typeof noticeRecord>

export const noticeRecord = z.object({
  /** Also the id of the mail, by which mailboxes drop one that was sent twice. */
  id,
  way: z.enum(['mail', 'push']),
  /** Undefined for mails about an account. */
  subscriberId: id.optional(),
  /** Undefined: of the host itself. */
  projectId: id.optional(),
  news,
  createdAt: time,
  tries: z.int().nonnegative(),
  nextTryAt: time,
})
