import { z } from 'zod'
import { endpoint } from '../endpoint'
import { line, projectId } from '../fields'

/** Pixels of the card, which is an `iframe` on other sites. */
export const CARD = { width: 320, height: 120 } as const

/** Everyone gets what visitors see. */
const forVisitors = {
  method: 'GET',
  access: 'anyone',
  boundKeys: true,
  heavy: true,
  reply: z.object({}),
  download: true,
} as const
const ofProject = z.object({ id: projectId })

/** Parts of a public project that other sites embed. */
export const embeds = {
  badge: endpoint({
    ...forVisitors,
    path: '/p/:id/badge.svg',
    summary:
      'A badge with the newest version or the downloads of a project; without such a project, ' +
      'one that says so',
    input: ofProject.extend({
      metric: z.enum(['version', 'downloads']).default('version').describe('What the badge shows'),
    }),
    errors: [],
  }),
  card: endpoint({
    ...forVisitors,
    path: '/p/:id/card',
    summary:
      `A card of a project as HTML of ${CARD.width} × ${CARD.height} pixels, for an \`iframe\` ` +
      'on any site',
    input: ofProject,
    errors: [],
  }),
  preview: endpoint({
    ...forVisitors,
    path: '/p/:id/preview.png',
    summary:
      'A drawn picture of 1200 × 630 pixels for links to a project or a release; redirects ' +
      'to its cover or icon if none can be drawn',
    input: ofProject.extend({
      version: line(64).optional().describe('Only the release of this version'),
    }),
    errors: ['not_found'],
  }),
}
