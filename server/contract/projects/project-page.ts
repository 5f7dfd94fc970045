import { z } from 'zod'
import { channel, describe, id, line } from '../fields'
import { linkedFileSchema } from './linked-files'
import { PLATFORMS } from '../files/platforms'
import { releaseSchema } from './releases'
import { subscriptionsSchema } from './subscriptions'

/** The parameters of a project's page. */
export const pageInput = {
  /** The page of this release only. */
  version: describe(line(64).optional(), 'Only this release of the page', '1.4.0'),
  /** Default: `stable`, unless all releases are in others. Another channel includes `stable`. */
  channel: describe(
    channel.optional(),
    'The channel whose newest release is on top; it includes stable',
    'stable',
  ),
  since: line(64)
    .optional()
    .meta({ description: 'Joins the notes of the versions above this one', examples: ['1.3.0'] }),
  /** The visitor's device. */
  platform: describe(
    z.enum(PLATFORMS).optional(),
    'The device that the file on top is for',
    'Android',
  ),
}

/** The releases on a project's page: bounded, so that any page is small. */
export const projectPageSchema = z.object({
  channel: z.string(),
  /** Channels with published releases that the caller sees, `stable` first. */
  channels: z.array(z.string()),
  /**
   * The release of the file on top, or the one asked for, with its newest files; null: no release
   * has files.
   */
  release: releaseSchema.nullable(),
  /** The best file for the device, shown at the top. Null if there is none. */
  file: linkedFileSchema.nullable(),
  /** Whether it probably runs on the device. */
  fits: z.boolean(),
  /** Why an iPhone or iPad does not install that file, or null: it does, or is not asked for. */
  obstacle: z.object({ title: z.string(), text: z.string() }).nullable(),
  /**
   * Compares the signing certificate with the previous release. Null if unknown, or if this is the
   * first.
   */
  signer: z.enum(['same', 'other']).nullable(),
  /**
   * Other published releases of the channel, newest first. With `release` they have at most 20
   * files.
   */
  releases: z.array(releaseSchema),
  /** All published releases of the channel. */
  total_releases: z.int(),
  /** Files without a release, newest first, at most 100. */
  files: z.array(linkedFileSchema),
  /** The bytes of all files that the caller sees, as the zip has them. */
  total_size: z.int(),
  /** Whether one of them is damaged, so that the host refuses the zip. */
  has_damaged: z.boolean(),
  /**
   * Notes of the published versions above `since`, newest first, as one Markdown text. Null without
   * `since`.
   */
  notes: z.string().nullable(),
  /**
   * The ids of those files that the visitor's downloads get from the bucket, unless they ask with
   * `from=host`.
   */
  from_bucket: z.array(id),
  subscriptions: subscriptionsSchema,
})
export type ProjectPage = z.infer<typeof projectPageSchema>
