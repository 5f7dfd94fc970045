import { cp, mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { aFile, aProject } from '../../support/world/factories'
import { replyOf } from '../../support/network/reply'
import { test } from '../../support/world/http'
import type { TestServer } from '../../support/world/test-server'
import { sendUpload, uploadForm } from '../../support/world/upload'

/** The size of each file below a folder, by path. */
async function everything(dir: string): Promise<string[]> {
  const told = async (name: string) => {
    const info = await stat(join(dir, name))
    return info.isFile() ? `${name} ${info.size}` : name
  }
  return Promise.all((await readdir(dir, { recursive: true })).sort().map(told))
}

/**
 * Takes the disk away and puts `instead`, or else an empty folder, in its place. Returns a function
 * that undoes it.
 */
async function unplug({ dataDir }: TestServer, instead?: string): Promise<() => Promise<void>> {
  await rename(dataDir, `${dataDir}-unplugged`)
  await (instead === undefined ? mkdir(dataDir) : rename(instead, dataDir))
  return async () => {
    await rename(dataDir, `${dataDir}-before`)
    await rename(`${dataDir}-unplugged`, dataDir)
  }
}

test('old data in its place is not written to', async ({ server, folder, log, alice }) => {
  await aFile(server, alice)
  const copy = join(folder, 'copy')
  await cp(server.dataDir, copy, { recursive: true })
  for (const name of await readdir(copy)) if (name.endsWith('.lock')) await rm(join(copy, name))
  const before = await everything(copy)
  await aProject(server, alice)
  // The audit log is written with a delay; that must not happen while the folders are swapped.
  await server.inside.audit.close()
  await unplug(server, copy)
  expect(
    (await replyOf(sendUpload(server.fetchAs(alice), uploadForm(new File(['new'], 'new.txt')))))
      .status,
  ).toBe(503)
  // The audit log is written with a delay.
  await server.inside.audit.close()
  expect(await everything(server.dataDir)).toEqual(before)
  await server.close()
  log.takeErrors()
})
