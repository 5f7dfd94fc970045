import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { DiskBackend } from '../../server/data/blobs/disk-backend'
import type { TestServer } from './world/test-server'

/**
 * The server's use of its disk: how many drafts and blobs there are, and how many bytes it has
 * reserved.
 */
export async function keptBytes(server: TestServer) {
  const filesIn = async (folder: string) => {
    const entries = await readdir(join(server.dataDir, folder), {
      recursive: true,
      withFileTypes: true,
    })
    return entries.filter(
      (entry) => entry.isFile() && !/^catalogue\.json(\.tmp)?$/.test(entry.name),
    ).length
  }
  return {
    drafts: (await filesIn('tmp')) + (await filesIn('uploads')),
    blobs: await filesIn('blobs'),
    reserved: server.inside.quota.held(),
  }
}

export const NOTHING_KEPT = { drafts: 0, blobs: 0, reserved: 0 }

/** Where a blob or sidecar is in a data folder or backup. */
export const blobPath = (dir: string, name: string): string => DiskBackend.in(dir).pathOf(name)

export async function blobIdsIn(dir: string): Promise<string[]> {
  const ids: string[] = []
  for await (const blobId of DiskBackend.in(dir).ids()) ids.push(blobId)
  return ids
}
