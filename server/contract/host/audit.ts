import { z } from 'zod'
import { endpoint } from '../endpoint'
import { describe, id, pageOf, time } from '../fields'

/** Kinds in the order of the filter. */
export const auditKinds = [
  'sign_in',
  'sign_in_failed',
  'sign_out',
  'session_end',
  'register',
  'account_change',
  'password_change',
  'password_reset',
  'password_link_create',
  'key_create',
  'key_revoke',
  'key_delete',
  'file_upload',
  'file_visibility',
  'file_delete',
  'file_restore',
  'file_erase',
  'account_export',
  'account_import',
  'file_link',
  'file_unlink',
  'share_create',
  'share_change',
  'share_renew',
  'share_end',
  'request_create',
  'request_change',
  'request_renew',
  'request_end',
  'file_receive',
  'project_create',
  'project_visibility',
  'project_delete',
  'project_restore',
  'project_erase',
  'project_export',
  'picture_add',
  'picture_change',
  'picture_remove',
  'picture_restore',
  'picture_erase',
  'release_create',
  'release_change',
  'release_publish',
  'release_promote',
  'release_withdraw',
  'release_delete',
  'release_trash',
  'release_restore',
  'release_erase',
  'retention_change',
  'collaborator_add',
  'collaborator_change',
  'collaborator_remove',
  'tester_create',
  'tester_change',
  'tester_revoke',
  'watch_add',
  'watch_change',
  'watch_remove',
  'webhook_add',
  'webhook_change',
  'webhook_remove',
  'webhook_off',
  'tier_change',
  'account_disable',
  'account_enable',
  'account_delete',
  'account_restore',
  'account_erase',
  'registration_open',
  'registration_close',
  'invite_create',
  'invite_revoke',
  'settings_change',
  'transfer_cut',
  'backup',
  'data_move',
  'manage_link',
  'manage_begin',
  'manage_end',
  'internet_open',
  'internet_close',
  'internet_address',
  'internet_certificate',
  'mirror_set_up',
  'mirror_change',
  'mirror_off',
] as const
export type AuditKind = (typeof auditKinds)[number]

export const auditEventSchema = z.object({
  /** Id of the event, also the cursor of the next page. */
  event_id: z.string(),
  at: time,
  kind: z.enum(auditKinds),
  /** Null: a visitor, the command line or the host itself. */
  user_id: id.nullable(),
  username: z.string().nullable(),
  /** IP address; null: the host itself. */
  address: z.string().nullable(),
  via: z.enum(['browser', 'window', 'api_key', 'command_line', 'watched_folder', 'host']),
  key_name: z.string().nullable(),
  subject: z.string().nullable(),
  /** Details: `Free → Pro`, the project's title. */
  detail: z.string().nullable(),
})
export type AuditEvent = z.infer<typeof auditEventSchema>

export const audit = {
  list: endpoint('GET', '/api/host/audit', {
    summary: 'The audit log of the last 90 days, newest first',
    access: 'host',
    input: z.object({
      limit: pageOf(50).limit,
      before: z
        .string()
        .regex(/^\d{4}-\d\d-\d\d\.\d{1,10}$/, 'That is not an event')
        .optional()
        .meta({
          description: 'The `event_id` of the last event of the page before',
          examples: ['2026-11-20.41'],
        }),
      kind: z.enum(auditKinds).optional().describe('Only events of this kind'),
      user_id: describe(
        id.optional(),
        'Only events that this person caused, or that concern their account',
        'u1Za6tGf4QeK',
      ),
    }),
    reply: z.object({ events: z.array(auditEventSchema), has_more: z.boolean() }),
  }),
}
