import { z } from 'zod'
import { downloadErrors, endpoint } from '../endpoint'
import { packageFields } from './facts'
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
    input: z.object({ ...page }),
    reply: z.object({ builds: z.array(buildSchema), total: z.int() }),
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
