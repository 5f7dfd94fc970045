import { z } from 'zod'
import { endpoint } from '../endpoint'
import { describe, line, projectId } from '../fields'

/**
 * A maintainer is a collaborator who may also release: add and remove files, and create, change,
 * promote and withdraw releases.
 */
export const collaboratorRoles = ['maintainer', 'collaborator'] as const
export type CollaboratorRole = (typeof collaboratorRoles)[number]

const usernames = z.object({
  collaborators: z.array(z.string()),
  /** The collaborators who may also release. */
  maintainers: z.array(z.string()),
})
export type Collaborators = z.infer<typeof usernames>
const role = z.enum(collaboratorRoles)
const collaboratorId = describe(line(64).min(1), 'A username or user id', 'sam')

export const collaborators = {
  list: endpoint('GET', '/api/projects/:id/collaborators', {
    summary: 'The usernames of the collaborators of a project',
    access: 'user',
    boundKeys: true,
    input: z.object({ id: projectId }),
    reply: usernames,
    errors: ['not_found'],
  }),
  add: endpoint('POST', '/api/projects/:id/collaborators', {
    summary: 'Add a collaborator by username or email',
    access: 'user',
    input: z
      .object({
        id: projectId,
        username: describe(line(254).min(1).optional(), 'The person, by username', 'sam'),
        email: describe(
          line(254).min(1).optional(),
          'The person, by email address',
          'maya@example.com',
        ),
        role: describe(
          role.default('collaborator'),
          'What they may do: a maintainer may also release',
          'maintainer',
        ),
      })
      .refine(({ username, email }) => (username === undefined) !== (email === undefined), {
        error: 'Enter a username or an email address',
        path: ['username'],
      }),
    reply: usernames,
    status: 201,
    errors: ['not_found', 'forbidden', 'taken'],
  }),
  change: endpoint('PUT', '/api/projects/:id/collaborators/:collaboratorId', {
    summary: 'Change what a collaborator may do, by username or user id',
    access: 'user',
    input: z.object({
      id: projectId,
      collaboratorId,
      role: describe(role, 'What they may do: a maintainer may also release', 'maintainer'),
    }),
    reply: usernames,
    errors: ['not_found', 'forbidden'],
  }),
  remove: endpoint('DELETE', '/api/projects/:id/collaborators/:collaboratorId', {
    summary:
      'Remove a collaborator by username or user id, and end the tester links that they made',
    access: 'user',
    input: z.object({
      id: projectId,
      collaboratorId,
      keep_tester_links: describe(
        z.stringbool('Use true or false').default(false),
        'Whether the tester links that they made stay',
        'false',
      ),
    }),
    reply: usernames,
    errors: ['not_found', 'forbidden'],
  }),
}
