import { stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { publishInPlace } from '../../renderer/features/uploads/transport/publish-in-place'
import type { File as FileReply } from '../../server/contract'
import type { Browser } from './system/browser'
import type { TestServer } from './world/test-server'

/**
 * Writes a file and offers it, as the main process does after a drop on the window. Returns the
 * offer's id.
 */
export async function offer(
  server: TestServer,
  folder: string,
  { name = 'rocket.apk', bytes = 'the bytes' }: { name?: string; bytes?: string | Uint8Array } = {},
): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, bytes)
  return offerThat(server, path)
}

/** Offers an existing file. */
export async function offerThat(server: TestServer, path: string): Promise<string> {
  const { size, mtimeMs } = await stat(path)
  return server.inside.offeredFiles.offer({
    path,
    snapshot: { size, modifiedMs: Math.floor(mtimeMs) },
  })
}

interface Wishes {
  isPublic?: boolean
  projectId?: string
  version?: string
  platform?: string
  onProgress?: (bytes: number) => void
  signal?: AbortSignal
}

/** Publishes an offered file as the page of this browser does. Throws ApiError. */
export async function publishOffered(
  browser: Pick<Browser, 'fetch'>,
  offerId: string,
  wishes: Wishes = {},
): Promise<FileReply> {
  const { isPublic = false, projectId, onProgress = () => undefined, signal, ...release } = wishes
  const project =
    projectId === undefined ? {} : { project: { id: projectId, title: '', isPublic: false } }
  const { file } = await publishInPlace({
    ...{ offerId, options: { isPublic, ...project, ...release }, onProgress },
    signal: signal ?? new AbortController().signal,
    request: browser.fetch,
  })
  return file
}
