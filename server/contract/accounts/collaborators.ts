import { z } from 'zod'
import { endpoint } from '../endpoint'
import { describe, line, projectId } from '../fields'

const usernames = z.object({ collaborators: z.array(z.string()) })

export const collaborators = {
  list: endpoint({
    method: 'GET',
    path: '/api/projects/:id/collaborators',
    summary: 'The usernames of the collaborators of a project',
    access: 'user',
    boundKeys: true,
    input: z.object({ id: projectId }),
    reply: usernames,
    errors: ['not_found'],
  }),
  add: endpoint({
    method: 'POST',
    path: '/api/projects/:id/collaborators',
    summary: 'Add a collaborator by username or email',
    access: 'user',
    input: z
      .object({
        id: projectId,
        username: describe(line(254).min(1).optional(), 'The person, by username', 'sam'),
        email: describe(line(254).min(1).optional(), 'The person, by email address', 'maya@example.com'),
      })
      .refine(({ username, email }) => (username === undefined) !== (email === undefined), {
        error: 'Enter a username or an email address',
        path: ['username'],
      }),
    reply: usernames,
    status: 201,
    errors: ['not_found', 'forbidden', 'taken'],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/projects/:id/collaborators/:collaboratorId',
    summary: 'Remove a collaborator by username or user id',
    access: 'user',
    input: z.object({
      id: projectId,
      collaboratorId: describe(line(64).min(1), 'A username or user id', 'sam'),
    }),
    reply: usernames,
    errors: ['not_found', 'forbidden'],
  }),
}
