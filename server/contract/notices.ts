import { z } from 'zod'
import { endpoint } from './endpoint'
import {
  describe,
  id,
  mailAddress,
  noticeToken,
  projectId,
  releaseVersion,
  reportToken,
  testerToken,
} from './fields'

const ofSubscriber = z.object({ noticeToken })

const subscribe = {
  access: 'anyone',
  status: 302,
  errors: ['not_found', 'not_supported', 'too_many_records', 'too_many_requests', 'read_only'],
} as const

/** A part of the keys of a browser, of so many bytes. */
const keyPart = (bytes: number) =>
  z
    .string()
    .regex(
      new RegExp(`^[\\w-]{${Math.ceil((bytes * 4) / 3)}}$`),
      `Send ${bytes} bytes in base64url, without padding`,
    )

/** What a browser says of its subscription (Push API, `PushSubscription.toJSON()`). */
const ofBrowser = {
  endpoint: describe(
    z
      .url({ protocol: /^https$/, error: 'Send the https address of a push service' })
      .max(1000, 'At most 1,000 characters')
      .regex(/^https:\/\/[^\s/?#@\\]+(\/|$)/i, 'Send an address without a user'),
    'Where the push service of the browser takes messages',
    'https://push.example.org/wpush/v2/gAAAAABo',
  ),
  keys: describe(
    z.object({ p256dh: keyPart(65), auth: keyPart(16) }),
    'The public key of the browser, and the secret that it shares with this host (RFC 8291)',
    {
      p256dh:
        'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
      auth: 'BTBZMqHH6r4Tts7J_aSIgg',
    },
  ),
}

const subscribeBrowser = {
  access: 'anyone',
  reply: z.object({
    notice_path: z.string().describe('The page of this subscription, which also ends it'),
  }),
  errors: ['not_found', 'too_many_records', 'too_many_requests', 'read_only'],
} as const

/** Why nobody of a tester link is told of a version. */
export const unremindedReasons = ['told', 'no_address', 'updater', 'mail_off', 'not_shown'] as const
export type Unreminded = (typeof unremindedReasons)[number]

/** Who of the testers with an old version is told of a newer one. */
const remindedSchema = z.object({
  /** Addresses that get a mail, and browsers that get a notification. */
  mails: z.int(),
  browsers: z.int(),
  /** The links that have a version below. */
  testers: z.array(
    z.object({
      tester_id: id,
      name: z.string(),
      /** The newest release that the link shows; null: it shows none from the version on. */
      version: z.string().nullable(),
      mails: z.int(),
      browsers: z.int(),
      /**
       * Null: a notice goes out. `told`: one about this version went out within a day, or another
       * waits. `no_address`: no confirmed address and no browser. `updater`: the same, but a
       * program asked for updates within a week. `mail_off`: addresses only, and the host sends no
       * mail. `not_shown`: its channel has no release from the version on.
       */
      reason: z.enum(unremindedReasons).nullable(),
    }),
  ),
})
export type Reminded = z.infer<typeof remindedSchema>

const reminder = {
  access: 'user',
  boundKeys: true,
  input: z.object({
    id: projectId,
    below: describe(releaseVersion, 'Links that have a version below this one', '1.4.0'),
  }),
  reply: remindedSchema,
  errors: ['not_found', 'forbidden'],
} as const

/** Emails and notifications about what a person without an account waits for. */
export const notices = {
  subscribeTester: endpoint('POST', '/t/:token/subscribers', {
    ...subscribe,
    summary:
      'Ask for emails about new releases that a tester link shows, or about the approval of a ' +
      'request for access, as JSON or a form; a first mail has a link that confirms the address',
    input: z.object({ token: testerToken, email: mailAddress }),
    errors: [...subscribe.errors, 'bad_credentials', 'busy'],
  }),
  subscribeReporter: endpoint('POST', '/r/:reportToken/subscribers', {
    ...subscribe,
    summary: 'Ask for emails about answers to a report, in the same way',
    input: z.object({ reportToken, email: mailAddress }),
  }),
  pushTester: endpoint('POST', '/t/:token/push', {
    ...subscribeBrowser,
    summary:
      'Subscribe a browser to what emails of a tester link say (Web Push: RFC 8030, 8291, 8292); ' +
      'the same reply for one that is subscribed',
    input: z.object({ token: testerToken, ...ofBrowser }),
    errors: [...subscribeBrowser.errors, 'bad_credentials', 'busy'],
  }),
  pushReporter: endpoint('POST', '/r/:reportToken/push', {
    ...subscribeBrowser,
    summary: 'Subscribe a browser to answers to a report, in the same way',
    input: z.object({ reportToken, ...ofBrowser }),
  }),
  reportFeed: endpoint('GET', '/r/:reportToken/atom.xml', {
    summary: 'The answers to a report, and how it ended, as an Atom feed',
    access: 'anyone',
    input: z.object({ reportToken }),
    download: true,
    heavy: true,
    errors: ['not_found'],
  }),
  planReminder: endpoint('GET', '/api/projects/:id/reminder', {
    ...reminder,
    summary:
      'Who of the testers below a version would be told of the newest release that their link ' +
      'shows, and why others would not',
  }),
  remind: endpoint('POST', '/api/projects/:id/reminder', {
    ...reminder,
    summary:
      'Notify the testers below a version who asked for emails or notifications about releases; ' +
      'each at most once a day and version',
  }),
  confirm: endpoint('POST', '/n/:noticeToken/confirm', {
    summary: 'Confirm the address to which the first mail went, once within 24 hours',
    access: 'anyone',
    input: ofSubscriber,
    status: 302,
    errors: ['not_found', 'read_only'],
  }),
  end: endpoint('POST', '/n/:noticeToken/end', {
    summary:
      'End these emails at once (RFC 8058); a browser is redirected to a page that says so. The ' +
      'reply is the same for emails that have ended',
    access: 'anyone',
    input: ofSubscriber,
    errors: ['read_only'],
  }),
}
