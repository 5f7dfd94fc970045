import { z } from 'zod'
import { endpoint } from '../endpoint'
import { channel, describe, projectId, time } from '../fields'
import { KEEP_MAX } from '../limits'

/**
 * Why an older release stays: it has the newest file of its kind, its rollout runs, a person
 * brought it back, or a share link gives one of its files away.
 */
export const stayReasons = ['newest_file', 'rollout', 'brought_back', 'shared'] as const

/** Effect of a limit on the published releases of a channel that have files. */
const retentionPlanSchema = z.object({
  channel: z.string(),
  /** Number of releases to keep, or null for all. */
  keep: z.int().nullable(),
  /** The first 100 that move to the trash, oldest first. */
  releases: z.array(
    z.object({
      version: z.string(),
      /** Time of its publication, or of its move to the channel. */
      published_at: time,
      files: z.int(),
      /** Bytes of the files that move to the trash with it: those that no other project has. */
      size: z.int(),
    }),
  ),
  /** Number of all releases that move. */
  total: z.int(),
  size: z.int(),
  /** The first 100 that stay although they are older. */
  stays: z.array(
    z.object({
      version: z.string(),
      reason: z.enum(stayReasons),
      /** The newest file of its kind, or the one with a share link, if that is the reason. */
      filename: z.string().nullable(),
    }),
  ),
})
export type RetentionPlan = z.infer<typeof retentionPlanSchema>

const channelSchema = z.object({
  channel: z.string(),
  /** Number of releases to keep, or null for all. */
  keep: z.int().nullable(),
  /** Its published releases with files. */
  releases: z.int(),
  /** Bytes of their files. */
  size: z.int(),
})
export type RetainedChannel = z.infer<typeof channelSchema>

const ofProject = z.object({ id: projectId })
const ofChannel = ofProject.extend({ channel: describe(channel, 'The channel', 'nightly') })
const tooFew = `Choose 1 to ${KEEP_MAX} releases`
const errors = ['not_found', 'forbidden'] as const
const change = { access: 'user', boundKeys: true, reply: retentionPlanSchema } as const

export const retention = {
  list: endpoint('GET', '/api/projects/:id/retention', {
    summary: 'The channels of a project with the number of releases that each keeps, for its owner',
    access: 'user',
    heavy: true,
    boundKeys: true,
    input: ofProject,
    /** `stable` first; also those that have a limit and no releases. */
    reply: z.object({ channels: z.array(channelSchema) }),
    errors,
  }),
  preview: endpoint('GET', '/api/projects/:id/retention/preview', {
    ...change,
    summary: 'Which releases of a channel would move to the trash if only the last ones were kept',
    heavy: true,
    input: ofChannel.extend({
      keep: describe(
        z.coerce.number(tooFew).int(tooFew).min(1, tooFew).max(KEEP_MAX, tooFew),
        'How many to keep',
        10,
      ),
    }),
    errors,
  }),
  update: endpoint('PUT', '/api/projects/:id/retention', {
    ...change,
    summary:
      'Keep the last releases of a channel, now and after each new one; older ones move to ' +
      'the trash',
    input: ofChannel.extend({
      keep: describe(
        z.int(tooFew).min(1, tooFew).max(KEEP_MAX, tooFew).nullable(),
        'How many to keep; null, the default, keeps all',
        10,
      ),
    }),
    errors: [...errors, 'too_many_records'],
  }),
}
