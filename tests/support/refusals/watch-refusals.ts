import { aProject } from '../factories'
import { NONE, nothing, window, type World } from './refusals'

const NO_FOLDER = 'x'.repeat(43)
/** A project of the host that watches the folder of the tests; `folder` is the token of the same folder. */
async function aWatch(world: World) {
  const { server, host } = world
  const client = await window(world)
  const { project_id: id } = await aProject(server, host)
  const choose = () => server.context.watching.chosenFolders.offer(import.meta.dirname)
  await client.watches.add({ id, folder: choose(), pattern: '*.apk' })
  return { client, id, folder: choose() }
}

/** What leads to each refusal of the calls about watched folders. */
export const watchRefusals = {
  list: {
    not_found: async (world: World) => (await window(world)).watches.list(nothing),
    forbidden: async (world: World) => (await window(world)).watches.list({ id: world.here.id }),
  },
  add: {
    not_found: async (world: World) => (await window(world)).watches.add({ ...nothing, folder: NO_FOLDER }),
    forbidden: async (world: World) => (await window(world)).watches.add({ id: world.here.id, folder: NO_FOLDER }),
    taken: async (world: World) => {
      const { client, id, folder } = await aWatch(world)
      return client.watches.add({ id, folder })
    },
  },
  change: {
    not_found: async (world: World) => {
      const { client, id } = await aWatch(world)
      return client.watches.change({ id, watchId: NONE })
    },
    forbidden: async (world: World) => (await window(world)).watches.change({ id: world.here.id, watchId: NONE }),
    taken: async (world: World) => {
      const { client, id, folder } = await aWatch(world)
      const { watch } = await client.watches.add({ id, folder: world.server.context.watching.chosenFolders.offer('/') })
      return client.watches.change({ id, watchId: watch.watch_id, folder })
    },
  },
  remove: {
    not_found: async (world: World) => {
      const { client, id } = await aWatch(world)
      return client.watches.remove({ id, watchId: NONE })
    },
    forbidden: async (world: World) => (await window(world)).watches.remove({ id: world.here.id, watchId: NONE }),
  },
}
