import type { Platform } from '../files/platforms'
import type { BuiltInFeed, Offer, Program, Updater, UpdaterCard } from './client'
import { systemClients } from './system-clients'
import { toolClients } from './tool-clients'
import { updaters } from './updaters'

/**
 * The programs that get each release of a project from this host, in the order of their cards.
 * `repositories/update-sources.ts` has the files and feed of each; the types require an entry
 * there.
 */
const clients = { ...systemClients, ...toolClients, ...updaters }

/** A program that gets each release of a project from this host. */
export type UpdateClient = keyof typeof clients
export const updateClients = Object.keys(clients) as UpdateClient[]

const computers: readonly Platform[] = ['Windows', 'macOS', 'Linux']
const rowOf = (client: UpdateClient): Program | Updater => clients[client]

/** The card of a program that people have; undefined: an updater inside of the app. */
export function updaterCard(client: UpdateClient, offer: Offer): UpdaterCard | undefined {
  const row = rowOf(client)
  return 'card' in row ? row.card(offer) : undefined
}

/** The feed of an updater inside of the app; undefined: people have the program. */
export function builtInFeed(client: UpdateClient, offer: Offer): BuiltInFeed | undefined {
  const row = rowOf(client)
  return 'builtIn' in row ? row.builtIn(offer) : undefined
}

/** Whether people can add a program on a device, or on any. */
export function runsOn(client: UpdateClient, device?: Platform): boolean {
  const row = rowOf(client)
  return 'card' in row && (device === undefined || (row.runsOn ?? computers).includes(device))
}
