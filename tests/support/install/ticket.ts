import { ticketFor } from '../../../server/features/projects/install/ticket'
import { unlockedEntrance } from '../../../server/features/projects/testers/tester-entrance'
import type { TestServer } from '../test-server'

/** A ticket as the install page of a project issues it. */
export function aTicket({ context }: TestServer, slug: string, fileId: string): string {
  const project = context.projects.store.find(slug)!
  const entrance = { project, actor: { kind: 'visitor' }, base: `/p/${project.slug}`, channel: 'stable' } as const
  return ticketFor(context, entrance, fileId)
}

/** The same below a tester link. */
export const aTesterTicket = ({ context }: TestServer, token: string, fileId: string): string =>
  ticketFor(context, unlockedEntrance(context, token), fileId)
