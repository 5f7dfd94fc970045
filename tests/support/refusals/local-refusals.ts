import { truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { UserRecord } from '../../../server/features/accounts/user-store'
import { GB } from '../../../server/contract'
import { aDiskWith, aFullQuota } from '../factories'
import { offer, offerThat, publishOffered } from '../offered'
import { aManifest, anApk } from '../packages'
import type { Browser } from '../system/browser'
import { NONE, type World } from './refusals'

/** Publishes an offered file at the window, once something has happened to it, or around it. */
async function publishing(
  { server, host }: World,
  { who = host, projectId, meanwhile }: { who?: UserRecord; projectId?: string; meanwhile?: (path: string) => unknown },
): Promise<unknown> {
  const folder = join(server.dataDir, '..')
  const { browser } = await server.atWindow(who)
  const offered = await offer(server, folder)
  await meanwhile?.(join(folder, 'rocket.apk'))
  return publishOffered(browser, offered, projectId === undefined ? {} : { projectId })
}

/** What refuses a file of the host's own machine. */
export const atHome = {
  not_found: (w: World) => publishing(w, { projectId: NONE }),
  forbidden: (w: World) => publishing(w, { who: w.carol, projectId: w.here.id }),
  quota_exceeded: (w: World) => publishing(w, { who: w.alice, meanwhile: () => aFullQuota(w.server, w.alice, 1) }),
  precondition_failed: (w: World) => publishing(w, { meanwhile: (path) => truncate(path, 1) }),
  build_mismatch: async (w: World) => {
    const { browser } = await w.server.atWindow(w.alice)
    const fetch: Browser['fetch'] = (to, init) => {
      const said = typeof init?.body === 'string' ? (JSON.parse(init.body) as object) : {}
      return browser.fetch(to, { ...init, body: JSON.stringify({ ...said, strict: true }) })
    }
    const offered = await offer(w.server, join(w.server.dataDir, '..'), { bytes: anApk(aManifest('1.4.2')) })
    return publishOffered({ fetch }, offered, { projectId: w.here.id })
  },
  too_large: async (w: World) => {
    const { browser } = await w.server.atWindow(w.host)
    const path = join(w.server.dataDir, '../rocket.apk')
    await writeFile(path, '')
    await truncate(path, 2 * GB + 1)
    return publishOffered(browser, await offerThat(w.server, path))
  },
  disk_full: (w: World) => publishing(w, { meanwhile: () => aDiskWith(w.server, 0) }),
}
