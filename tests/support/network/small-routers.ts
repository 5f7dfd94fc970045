import type { RouterAccess } from '../../../server/features/internet/needs'
import { findRouters, createRouter } from '../../../server/libraries/port-mapping/find-routers'
import type { SmallRouter } from '../internet/small-router'

const silence: RouterAccess['announcements'] = {
  listen: () => Promise.resolve(),
  close: () => undefined,
  onNews: () => undefined,
}

/** Finds this router alone, at its own ports. */
export const routersAt = ({ address, contact }: SmallRouter): RouterAccess => ({
  place: () => Promise.resolve({ gateway: address, own: address }),
  find: (place, signal) => findRouters(place, signal, contact),
  of: (mapping) => createRouter(mapping, contact),
  announcements: silence,
})

/** A computer without a network, so that no test asks a real router. */
export const noNetwork: RouterAccess = {
  place: () => Promise.resolve(undefined),
  find: () => Promise.resolve([]),
  of: () => {
    throw new Error('There is no router')
  },
  announcements: silence,
}
