import { createHash } from 'node:crypto'
import { copyFile, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buildBlockMap } from 'app-builder-lib/out/targets/blockmap/blockmap.js'
import { parse, stringify } from 'yaml'

/** What `latest.yml` says of one installer; the newest one is also at the top. */
interface Listed {
  sha512: string
  size?: number
}

interface Feed extends Listed {
  path: string
  files: (Listed & { url: string })[]
}

/**
 * Replaces the installers of a release by those that a service has signed, and writes their block
 * maps and `latest.yml` again. Throws if one is missing, unknown or unchanged.
 */
export async function takeSigned(signed: string, release: string): Promise<string[]> {
  const path = join(release, 'latest.yml')
  const feed = parse(await readFile(path, 'utf8')) as Feed
  const names = feed.files.map(({ url }) => url)
  const given = await readdir(signed)
  const unknown = given.find((name) => !names.includes(name))
  if (unknown !== undefined) throw new Error(`latest.yml has no ${unknown}`)

  for (const file of feed.files) {
    if (!given.includes(file.url)) throw new Error(`${file.url} was not signed`)
    const bytes = await readFile(join(signed, file.url))
    const sha512 = createHash('sha512').update(bytes).digest('base64')
    if (sha512 === file.sha512) throw new Error(`${file.url} came back without a signature`)

    const installer = join(release, file.url)
    await copyFile(join(signed, file.url), installer)
    await rm(`${installer}.blockmap`, { force: true })
    await buildBlockMap(installer, 'gzip', `${installer}.blockmap`)
    Object.assign(file, { sha512, size: bytes.length })
    if (file.url === feed.path) feed.sha512 = sha512
  }

  await writeFile(path, stringify(feed))
  return names
}
