import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { TestServer } from './test-server'

/** The server's use of its disk: how many drafts and blobs there are, and how many bytes it has reserved. */
export async function keptBytes(server: TestServer) {
  const filesIn = async (folder: string) => {
    const entries = await readdir(join(server.dataDir, folder), { recursive: true, withFileTypes: true })
    return entries.filter((entry) => entry.isFile() && !/^catalogue\.json(\.tmp)?$/.test(entry.name)).length
  }
  return {
    drafts: (await filesIn('tmp')) + (await filesIn('uploads')),
    blobs: await filesIn('blobs'),
    reserved: server.context.files.quota.held(),
  }
}

export const NOTHING_KEPT = { drafts: 0, blobs: 0, reserved: 0 }
