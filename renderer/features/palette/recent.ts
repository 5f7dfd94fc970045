import { z } from 'zod'

const MOST = 8

/** An opened item, with what is needed to show and reopen it. */
const recentSchema = z.array(
  z.object({
    id: z.string(),
    kind: z.enum(['page', 'project', 'release', 'file', 'person']),
    label: z.string(),
    detail: z.string().optional(),
    path: z.string().startsWith('/'),
  }),
)
export type Destination = z.infer<typeof recentSchema>[number]

const keyOf = (userId: string): string => `slipway:recent:${userId}`

/** Newest first; empty where the browser stores nothing. */
export function readRecent(userId: string): Destination[] {
  try {
    return recentSchema.parse(JSON.parse(localStorage.getItem(keyOf(userId)) ?? '[]'))
  } catch {
    return []
  }
}

export function rememberRecent(userId: string, destination: Destination): void {
  const others = readRecent(userId).filter(({ id }) => id !== destination.id)
  try {
    localStorage.setItem(keyOf(userId), JSON.stringify([destination, ...others].slice(0, MOST)))
  } catch (cause) {
    console.warn('The recent entries could not be stored', cause)
  }
}
