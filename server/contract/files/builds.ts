import { z } from 'zod'
import { downloadErrors, endpoint } from '../endpoint'
import { packageFields } from './facts'
import { PLATFORMS } from './platforms'
import { describe, downloadInput, id, line, page, time } from '../fields'

/** The product specification sets the names `sizeBytes` and `buildDate`. */
export const buildSchema = z.object({
  file_id: id,
  filename: z.string(),
  version: z.string().nullable(),
  ...packageFields,
  sizeBytes: z.int().nonnegative(),
  buildDate: time,
  sha256: z.string(),
})
export type Build = z.infer<typeof buildSchema>

/** The builds of one application: of one project, else of one application ID, else of one name. */
export const applicationSchema = z.object({
  application: z.string().describe('Its id, for `application` of the list of builds'),
  title: z.string(),
  icon_url: z.string().nullable(),
  /** How many builds it has. */
  builds: z.int(),
  total_size: z.int(),
  /** The newest build of each channel and platform, newest first. */
  newest: z.array(
    z.object({
      version: z.string().nullable(),
      channel: z.string(),
      platform: z.enum(PLATFORMS).nullable(),
      buildDate: time,
    }),
  ),
})
export type Application = z.infer<typeof applicationSchema>

const application = describe(
  line(300).min(1),
  'The id of an application, as the list of applications has it',
  'project:f4Tn8cWq2ZpL',
).optional()

export const buildStatsSchema = z.object({
  total_builds: z.int(),
  total_size: z.int(),
  /** Distinct, newest build first. */
  versions: z.array(z.string()),
})

export const builds = {
  list: endpoint('GET', '/api/builds', {
    summary: 'Your application packages, newest first',
    access: 'user',
    heavy: true,
    input: z.object({ application, ...page }),
    reply: z.object({ builds: z.array(buildSchema), total: z.int() }),
  }),
  applications: endpoint('GET', '/api/builds/applications', {
    summary: 'Your application packages by application, the one with the newest build first',
    access: 'user',
    heavy: true,
    input: z.object({ application, ...page }),
    reply: z.object({ applications: z.array(applicationSchema), total: z.int() }),
  }),
  stats: endpoint('GET', '/api/builds/stats', {
    summary: 'The number, total size and versions of your builds',
    access: 'user',
    heavy: true,
    input: z.object({}),
    reply: z.object({ stats: buildStatsSchema }),
  }),
  download: endpoint('GET', '/api/builds/:id/download', {
    summary: 'Download a build by file id, or your newest build of that filename',
    access: 'user',
    input: z.object({
      id: describe(
        line(255).min(1),
        'The id of the file, or a filename for your newest build of that name',
        'f4Tn8cWq2ZpL',
      ),
      ...downloadInput,
    }),
    download: true,
    errors: downloadErrors,
  }),
}
