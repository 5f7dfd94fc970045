import { z } from 'zod'
import { endpoint } from './endpoint'
import { channel, describe, id, line, releaseStates } from './fields'

const ofProject = { project_id: id, slug: z.string(), title: z.string(), is_public: z.boolean() }

/** The results of a search, by kind. Each kind has as much permission as its list. */
export const searchResultsSchema = z.object({
  projects: z.array(z.object({ ...ofProject, owner: z.string() })),
  releases: z.array(
    z.object({
      ...ofProject,
      version: z.string(),
      channel,
      state: z.enum(releaseStates),
      can: z.array(z.enum(['read', 'update', 'delete'])),
    }),
  ),
  files: z.array(
    z.object({
      file_id: id,
      filename: z.string(),
      version: z.string().nullable(),
      is_public: z.boolean(),
    }),
  ),
  /** Empty for sessions that do not manage the host. */
  people: z.array(z.object({ user_id: id, username: z.string(), email: z.string() })),
})
export type SearchResults = z.infer<typeof searchResultsSchema>

export const search = {
  find: endpoint('GET', '/api/search', {
    summary:
      'Your projects and those shared with you, their releases, and your files with a text in ' +
      'their name; 6 of each',
    access: 'session',
    heavy: true,
    input: z.object({
      text: describe(
        line(200).min(1, 'Enter what to look for'),
        'The text; a release has each of its words in its title or version',
        'lantern 1.4',
      ),
    }),
    reply: z.object({ results: searchResultsSchema }),
  }),
}
