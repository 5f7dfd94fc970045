import { z } from 'zod'
import { endpoint } from '../endpoint'
import { line, projectId } from '../fields'

/** Pixels of the card, which is an `iframe` on other sites. */
export const CARD = { width: 320, height: 120 } as const

/** Everyone gets what visitors see. */
const forVisitors = {
  access: 'anyone',
  boundKeys: true,
  heavy: true,
  download: true,
} as const
const ofProject = z.object({ id: projectId })

/** Parts of a public project that other sites embed. */
export const embeds = {
  badge: endpoint('GET', '/p/:id/badge.svg', {
    ...forVisitors,
    summary:
      'A badge with the newest version or the downloads of a project; without such a project, ' +
      'one that says so',
    input: ofProject.extend({
      metric: z.enum(['version', 'downloads']).default('version').describe('What the badge shows'),
    }),
  }),
  card: endpoint('GET', '/p/:id/card', {
    ...forVisitors,
    summary:
      `A card of a project as HTML of ${CARD.width} × ${CARD.height} pixels, for an \`iframe\` ` +
      'on any site',
    input: ofProject,
  }),
  preview: endpoint('GET', '/p/:id/preview.png', {
    ...forVisitors,
    summary:
      'A drawn picture of 1200 × 630 pixels for links to a project or a release; redirects ' +
      'to its cover or icon if none can be drawn',
    input: ofProject.extend({
      version: line(64).optional().describe('Only the release of this version'),
    }),
    errors: ['not_found'],
  }),
}
