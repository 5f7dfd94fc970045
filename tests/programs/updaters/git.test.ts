import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect } from 'vitest'
import { updaterCard } from '../../../server/contract/update-clients/update-clients'
import { needTools, run } from '../../support/system/debian'
import { aRocket } from '../../support/world/factories'
import { test } from '../../support/world/http'
import type { TestServer } from '../../support/world/test-server'
import { tempDir } from '../../support/system/temp-dir'

/** The clients, the file that their repository has, and the name of a build for them. */
const clients = [
  ['homebrew', 'Casks/rocket.rb', (version: string) => `Rocket-${version}.dmg`],
  ['scoop', 'bucket/rocket.json', (version: string) => `rocket-${version}.exe`],
] as const

/** Git on another computer, with nothing of ours in its configuration. */
async function aComputer() {
  const dir = await tempDir()
  const env = {
    PATH: process.env['PATH'],
    HOME: dir,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    LC_ALL: 'C',
  }
  const git = async (...args: string[]) => (await run('git', args, { cwd: dir, env })).stdout.trim()
  return {
    clone: (url: string) => git('clone', '-q', url, 'tap'),
    // As Scoop does; Homebrew fetches and rebases, which ends the same where nothing of the past
    // has changed.
    pull: () => git('-C', 'tap', 'pull', '-q', '--ff-only'),
    git: (...args: string[]) => git('-C', 'tap', ...args),
    read: (path: string) => readFile(join(dir, 'tap', path), 'utf8'),
  }
}

/** The address of the repository in the line of the page. */
function addressOf(
  server: TestServer,
  client: (typeof clients)[number][0],
  base: string,
  channel: string,
): string {
  const card = updaterCard(client, {
    address: server.url + base,
    slug: 'rocket',
    channel,
    names: [],
    fingerprint: null,
  })
  return /https?:[^\s"']+\.git/.exec(Object.values(card?.lines ?? {}).join())?.[0] ?? ''
}

describe.each(clients)('feeds.repository, for %s by Git', (client, path, filename) => {
  beforeAll(() => needTools('git'), 180_000)

  test('is cloned, and pulls each change as a commit on the one before', async ({ server }) => {
    const { id, alice, owner, publish } = await aRocket(server)
    await publish(filename('1.0.0'), { version: '1.0.0' })
    const url = addressOf(server, client, '/p/rocket', 'stable')
    expect(await (await server.fetch('/p/rocket')).text()).toContain(new URL(url).pathname)
    const { clone, pull, git, read } = await aComputer()
    await clone(url)
    const first = await git('rev-parse', 'HEAD')
    const same = new URL(url).pathname.replace(
      '.git',
      path.includes('Casks') ? '/rocket.rb' : '/rocket.json',
    )
    expect(await read(path)).toBe(await (await server.fetch(same)).text())

    await owner.projects.create({ title: 'Another one, which is in no feed of this one' })
    await pull()
    expect(await git('rev-parse', 'HEAD')).toBe(first)
    await publish(filename('1.1.0'), { version: '1.1.0' })
    await pull()
    expect(await read(path)).toContain(`/p/rocket/releases/1.1.0/${filename('1.1.0')}`)

    await owner.releases.withdraw({ id, version: '1.1.0' })
    const { port } = server
    await server.close()
    const again = await server.restart({ port })
    await pull()
    expect(await read(path)).not.toContain('1.1.0')
    await again.as(alice).releases.withdraw({ id, version: '1.0.0' })
    await pull()
    expect(await git('ls-files')).toBe('')
    expect(await git('log', '--format=%s')).toBe('No release\n1.0.0\n1.1.0\n1.0.0')
    await git('fsck', '--strict', '--full')
    const other = await aComputer()
    await other.clone(url)
    expect(await other.git('rev-parse', 'HEAD')).toBe(await git('rev-parse', 'HEAD'))
  })
})
