import { z } from 'zod'
import { endpoint } from './endpoint'
import { mailAddress, noticeToken, reportToken, testerToken } from './fields'

const ofSubscriber = z.object({ noticeToken })

const subscribe = {
  access: 'anyone',
  status: 302,
  errors: ['not_found', 'not_supported', 'too_many_records', 'too_many_requests', 'read_only'],
} as const

/** Mails about what a person without an account waits for. */
export const notices = {
  subscribeTester: endpoint('POST', '/t/:token/subscribers', {
    ...subscribe,
    summary:
      'Ask for mails about new releases that a tester link shows, as JSON or a form; a first ' +
      'mail has a link that confirms the address',
    input: z.object({ token: testerToken, email: mailAddress }),
    errors: [...subscribe.errors, 'bad_credentials', 'busy'],
  }),
  subscribeReporter: endpoint('POST', '/r/:reportToken/subscribers', {
    ...subscribe,
    summary: 'Ask for mails about answers to a report, in the same way',
    input: z.object({ reportToken, email: mailAddress }),
  }),
  reportFeed: endpoint('GET', '/r/:reportToken/atom.xml', {
    summary: 'The answers to a report, and how it ended, as an Atom feed',
    access: 'anyone',
    input: z.object({ reportToken }),
    download: true,
    heavy: true,
    errors: ['not_found'],
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
      'End these mails at once (RFC 8058); a browser is redirected to a page that says so. The ' +
      'reply is the same for mails that have ended',
    access: 'anyone',
    input: ofSubscriber,
    errors: ['read_only'],
  }),
}
