import { sign, type KeyObject } from 'node:crypto'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const FEED = /^latest[\w-]*\.yml$/

/**
 * Writes `latest*.yml.sig` next to each `latest*.yml` of a folder: the Ed25519 signature of its
 * name, a line break and its bytes, base64. Without a key, removes stale ones. Returns the names of
 * the feeds.
 */
export async function signFeeds(dir: string, key: KeyObject | undefined): Promise<string[]> {
  const names = (await readdir(dir).catch(() => [])).filter((name) => FEED.test(name)).sort()
  for (const name of names) {
    const path = join(dir, name)
    if (key === undefined) await rm(`${path}.sig`, { force: true })
    else {
      const signed = Buffer.concat([Buffer.from(`${name}\n`), await readFile(path)])
      await writeFile(`${path}.sig`, `${sign(null, signed, key).toString('base64')}\n`)
    }
  }
  return names
}
