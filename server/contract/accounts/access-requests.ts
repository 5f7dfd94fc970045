import { z } from 'zod'
import { endpoint } from '../endpoint'
import { askerToken, channel, describe, id, line, pageOf, projectId, text, time } from '../fields'
import { ACCESS_NOTE_MAX, TESTER_DAYS, TESTERS_MAX } from '../limits'
import { manyIds, manyOutcome } from '../many'

/** An approved request is none any more: it is a tester link. */
export const accessStates = ['waiting', 'declined'] as const
export type AccessState = (typeof accessStates)[number]

const accessRequestSchema = z.object({
  request_id: id,
  /** What the asker wrote. Nobody has checked it. */
  name: z.string().nullable(),
  email: z.string().nullable(),
  note: z.string(),
  state: z.enum(accessStates),
  created_at: time,
})
export type AccessRequest = z.infer<typeof accessRequestSchema>

const settingsSchema = z.object({
  /** Whether visitors of the public page can ask. */
  is_open: z.boolean(),
  /** Shown above the form. */
  note: z.string(),
  /** The channel that approved people get. */
  channel: z.string(),
  /** How long their links work, in days. */
  days: z.int(),
  /** The most testers by approved requests; null: as many as tester links. */
  limit: z.int().nullable(),
  /** Testers by approved requests whose links work. */
  testers: z.int(),
})
export type AccessSettings = z.infer<typeof settingsSchema>

/** What an asker sends. */
export const accessFieldsSchema = z.object({
  name: describe(line(60).nullish(), 'The name of the asker', 'Kim'),
  email: describe(
    line(254)
      .refine(
        (address) => address === '' || z.email().safeParse(address).success,
        'Enter an email address, or leave it empty',
      )
      .nullish(),
    'How to reach the asker',
    'kim@example.com',
  ),
  note: describe(
    text(ACCESS_NOTE_MAX).default(''),
    'Why the asker wants to test',
    'I have a Pixel 9 and a long commute.',
  ),
  key: describe(
    z
      .string()
      .regex(/^[\w-]{22,64}$/, 'Use 22 to 64 letters and digits')
      .nullish(),
    'A random text of your choice. Sending the same request again changes nothing',
    'nB4xTq7Zc2LmW9pRkV6sYd',
  ),
})

/** What an owner chooses. */
export const accessSettingsSchema = z.object({
  is_open: z
    .boolean('Use true or false')
    .meta({ description: 'Whether visitors of the public page can ask', examples: [true] }),
  note: describe(
    text(ACCESS_NOTE_MAX).optional(),
    'Shown above the form',
    'We look for people with old phones.',
  ),
  channel: describe(channel.optional(), 'The channel that approved people get', 'beta'),
  days: describe(
    z
      .int('Use a whole number of days')
      .min(1, 'At least 1 day')
      .max(TESTER_DAYS.most, `At most ${TESTER_DAYS.most} days`)
      .optional(),
    'How long their links work, in days',
    90,
  ),
  limit: describe(
    z
      .int('Use a whole number')
      .min(1, 'At least 1 tester')
      .max(TESTERS_MAX, `At most ${TESTERS_MAX} testers`)
      .nullish(),
    'The most testers by approved requests; the form closes when they are reached',
    50,
  ),
})

const ofProject = z.object({ id: projectId })
const ofMany = ofProject.extend({
  request_ids: describe(manyIds, 'The ids of the requests', ['c5Wq8nRt2LxZ']),
})
const errors = ['not_found', 'forbidden'] as const

export const accessRequests = {
  list: endpoint('GET', '/api/projects/:id/access-requests', {
    summary: 'The requests for access to a project, newest first, with their numbers',
    access: 'user',
    boundKeys: true,
    input: ofProject.extend({
      state: z
        .enum(accessStates)
        .optional()
        .meta({ description: 'Only requests in this state', examples: ['waiting'] }),
      ...pageOf(50),
    }),
    reply: z.object({
      access_requests: z.array(accessRequestSchema),
      /** Requests that match. */
      total: z.int(),
      by_state: z.object({ waiting: z.int(), declined: z.int() }),
      settings: settingsSchema,
    }),
    errors,
  }),
  approve: endpoint('POST', '/api/projects/:id/access-requests/approve', {
    summary: 'Approve requests: each becomes a tester link, whose address the asker already has',
    access: 'user',
    input: ofMany,
    reply: manyOutcome,
    errors,
  }),
  decline: endpoint('POST', '/api/projects/:id/access-requests/decline', {
    summary:
      'Decline requests; their askers read so for 30 days, in which they can still be approved',
    access: 'user',
    input: ofMany,
    reply: manyOutcome,
    errors,
  }),
  configure: endpoint('PUT', '/api/projects/:id/access-settings', {
    summary:
      'Whether visitors can ask for access, and what approved people get; fields that are left ' +
      'out keep their value',
    access: 'user',
    input: ofProject.extend(accessSettingsSchema.shape),
    reply: z.object({ settings: settingsSchema }),
    errors,
  }),
  ask: endpoint('POST', '/p/:id/requests', {
    summary:
      'Ask for access to a public project that takes requests, as JSON or a form; a browser is ' +
      'redirected to the page of the request',
    access: 'anyone',
    input: ofProject.extend(accessFieldsSchema.shape),
    reply: z.object({
      /** The private page of the asker, which becomes their tester page; in this reply only. */
      url: z.string(),
    }),
    status: 201,
    errors: ['not_found', 'too_many_requests', 'quota_exceeded', 'read_only'],
  }),
  withdraw: endpoint('POST', '/t/:askerToken/withdraw', {
    summary: 'Withdraw a request for access: everything that its asker sent is deleted',
    access: 'anyone',
    input: z.object({ askerToken }),
    status: 302,
    errors: ['not_found', 'read_only'],
  }),
}
