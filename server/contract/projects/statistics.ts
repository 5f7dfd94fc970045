import { z } from 'zod'
import { endpoint } from '../endpoint'
import { id, projectId, time } from '../fields'
import { HISTORY_DAYS } from '../limits'

/** Dimensions of the daily counts: `referrer` for views, the others for downloads. */
export const countedBy = ['version', 'platform', 'referrer', 'tester'] as const
export type CountedBy = (typeof countedBy)[number]

export const projectDaySchema = z.object({
  /** UTC day, `2026-11-20`. */
  date: z.iso.date(),
  downloads: z.int(),
  views: z.int(),
})
export type ProjectDay = z.infer<typeof projectDaySchema>

const shareSchema = z.object({
  by: z.enum(countedBy),
  /**
   * A version, platform, host name of the referring page, or id of a tester link; empty: unknown.
   */
  value: z.string(),
  /** Name of a tester link, or null if it was revoked. */
  name: z.string().nullable(),
  /** The count of each day, in the order of `days`. */
  days: z.array(z.int()),
})
export type StatisticsShare = z.infer<typeof shareSchema>

const ofProject = { project_id: id, title: z.string() }

/** Something that happened to a project, without the caller's own doing. */
const newsSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('downloads'), ...ofProject, version: z.string(), count: z.int() }),
  z.object({
    kind: z.literal('build'),
    ...ofProject,
    username: z.string(),
    filename: z.string(),
    at: time,
  }),
  /** All updates of one person; `at` is the time of the newest. */
  z.object({
    kind: z.literal('post'),
    ...ofProject,
    username: z.string(),
    count: z.int(),
    at: time,
  }),
  z.object({ kind: z.literal('tester'), ...ofProject, name: z.string(), at: time }),
  /** The host turned off a webhook; for the owner only. */
  z.object({ kind: z.literal('webhook'), ...ofProject, name: z.string(), at: time }),
])
export type ProjectNews = z.infer<typeof newsSchema>

export const statistics = {
  news: endpoint('GET', '/api/projects/news', {
    summary:
      'What happened in your projects since yesterday: downloads, then what others did, ' +
      'newest first',
    access: 'user',
    boundKeys: true,
    heavy: true,
    input: z.object({}),
    reply: z.object({ news: z.array(newsSchema) }),
  }),
  history: endpoint('GET', '/api/projects/:id/history', {
    summary: 'Downloads and views per day, oldest first, for the owner and collaborators',
    access: 'user',
    boundKeys: true,
    heavy: true,
    input: z.object({
      id: projectId,
      days: z.coerce
        .number()
        .int()
        .min(1)
        .max(HISTORY_DAYS)
        .default(30)
        .meta({ description: 'How many days back', examples: [30] }),
    }),
    reply: z.object({
      days: z.array(projectDaySchema),
      /**
       * Counts by version, platform, referrer and tester link. Recorded since version 1.1 of
       * Slipway.
       */
      shares: z.array(shareSchema),
      /** Whether a bucket is set up. Its downloads are counted at the redirect. */
      from_bucket: z.boolean(),
    }),
    errors: ['not_found', 'forbidden'],
  }),
}
