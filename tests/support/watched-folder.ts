import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Client } from '../../renderer/lib/client/api-client'
import type { Project, Watch } from '../../server/contract'
import { aProject, aUser } from './world/factories'
import { test as base } from './world/http'
import type { TestServer } from './world/test-server'

/** A folder of this machine in which the host account, at the window, has built something. */
export interface Watched {
  client: Client
  project: Project
  /** The path of the folder, which exists and is empty. */
  out: string
  /** Chooses the folder in the dialog, and watches it. */
  watch: (
    fields?: Partial<Omit<Parameters<Client['watches']['add']>[0], 'id' | 'folder'>>,
  ) => Promise<Watch>
  /** The folder as the page shows it, once it is in the expected state. */
  shown: (holds: (watch: Watch) => boolean) => Promise<Watch>
  /** The files that the project offers now. */
  offered: () => Promise<{ filename: string; version: string | null; is_public: boolean }[]>
}

/**
 * `test` with a server that is less patient with files than others are, and a folder that it can
 * watch.
 */
export const test = base
  .extend({ config: { watchPace: { stillMs: 80, lookMs: 100 } } })
  .extend<{ watched: Watched }>({
    watched: async ({ server, folder }, use) => {
      const out = join(folder, 'out')
      await mkdir(out)
      const user = await aUser(server, 'host', { isHost: true })
      const { client } = await server.atWindow(user)
      const project = await aProject(server, user)
      await use({ client, project, out, ...questions(server, client, project.project_id, out) })
    },
  })

function questions({ inside }: TestServer, client: Client, id: string, out: string) {
  const only = async () => (await client.watches.list({ id })).watches[0]!
  return {
    async watch(fields = {}) {
      return (await client.watches.add({ id, folder: inside.chosenFolders.offer(out), ...fields }))
        .watch
    },
    async shown(holds: (watch: Watch) => boolean) {
      let watch = await only()
      await expect.poll(async () => holds((watch = await only()))).toBe(true)
      return watch
    },
    async offered() {
      const { downloads } = (await client.projects.byId({ id })).project
      return downloads.map(({ filename, version, is_public }) => ({ filename, version, is_public }))
    },
  }
}

/** Whether a file of this name has this outcome. */
export const has =
  (filename: string, outcome: Watch['recent'][number]['outcome']) =>
  ({ recent }: Watch): boolean =>
    recent.some((file) => file.filename === filename && file.outcome === outcome)
