import { expect } from 'vitest'
import { noEngine } from './engine'
import type { Engine } from './engine'
import { aBucket, MIB } from './copied-files'
import { aFile, aProject, aUser } from '../world/factories'
import { proxyFromOutside, trustsProxy } from '../network/from-outside'
import { test as base } from '../world/http'

export const bytes = new Uint8Array(
  Buffer.from(Array.from({ length: 20 * MIB }, (_, at) => (at * 31 + (at >> 9)) & 255)),
)
export const FILENAME = 'Rocket “é” 1.0.apk'

/** What clients of the internet see of a host that has a public file in a bucket. */
export interface CopiedFile {
  /** The address of the proxy in front of it. */
  url: string
  fileId: string
  /** Of its page, in the release 1.0 of a public project. */
  path: string
  /** Asks as a visitor from outside, without following redirects. */
  ask: (path: string, headers?: Record<string, string>, method?: string) => Promise<Response>
  /** Asks like that, and then the bucket. */
  follow: (path: string, headers?: Record<string, string>) => Promise<Response>
  downloads: () => number
}

/** `test` on such a host. `engine` is asked when the test begins. */
export const redirectingTest = (engine: () => Engine) =>
  base.extend({ config: trustsProxy }).extend<{ copied: CopiedFile }>({
    copied: async ({ server }, use) => {
      if (noEngine !== undefined) throw new Error(noEngine)
      const alice = await aUser(server, 'alice', { tier: 'Pro' })
      const { slug } = await aProject(server, alice, { is_public: true, title: 'Rocket' })
      const release = { project_id: slug, version: '1.0', is_public: true }
      const { file_id: fileId } = await aFile(server, alice, {
        filename: FILENAME,
        bytes,
        ...release,
      })
      const { publicCopies } = server.inside
      await publicCopies.setUp(await aBucket(engine()), engine().keys)
      await expect.poll(() => publicCopies.view().state).toBe('complete')
      const { url, close } = await proxyFromOutside(server.port)
      const ask: CopiedFile['ask'] = (path, headers = {}, method = 'GET') =>
        fetch(url + path, { method, headers, redirect: 'manual' })
      await use({
        url,
        fileId,
        path: `/p/${slug}/releases/1.0/${encodeURIComponent(FILENAME)}`,
        ask,
        follow: async (path, headers) =>
          fetch((await ask(path, headers)).headers.get('location') ?? '', {
            headers: headers ?? {},
          }),
        downloads: () => server.inside.counts.downloadsOfFile(fileId),
      })
      await close()
    },
  })
