import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, onTestFinished } from 'vitest'
import { updaterCard } from '../../../server/texts/updates/updater-cards'
import { needTools, run } from '../../support/system/debian'
import { aLockedLink } from '../../support/install/locked-link'
import { aFile, aProject, aUser } from '../../support/world/factories'
import { test } from '../../support/world/http'
import type { TestServer } from '../../support/world/test-server'

/** The clients, the file that their repository has, and the name of a build for them. */
const clients = [
  ['homebrew', 'Casks/rocket.rb', (version: string) => `Rocket-${version}.dmg`],
  ['scoop', 'bucket/rocket.json', (version: string) => `rocket-${version}.exe`],
] as const

async function aRocket(server: TestServer, is_public = true) {
  const alice = await aUser(server, 'alice')
  const { project_id: id } = await aProject(server, alice, { is_public })
  const publish = (version: string, filename: string) =>
    aFile(server, alice, { filename, bytes: `bytes of ${version}`, project_id: id, version, is_public })
  return { id, alice, owner: server.as(alice), publish }
}

/** Git on another computer, with nothing of ours in its configuration. */
async function aComputer() {
  const dir = await mkdtemp(join(tmpdir(), 'slipway-git-'))
  onTestFinished(() => rm(dir, { recursive: true }))
  const env = { PATH: process.env['PATH'], HOME: dir, GIT_CONFIG_NOSYSTEM: '1', GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C' }
  const git = async (...args: string[]) => (await run('git', args, { cwd: dir, env })).stdout.trim()
  return {
    clone: (url: string) => git('clone', '-q', url, 'tap'),
    // As Scoop does; Homebrew fetches and rebases, which ends the same where nothing of the past has changed.
    pull: () => git('-C', 'tap', 'pull', '-q', '--ff-only'),
    git: (...args: string[]) => git('-C', 'tap', ...args),
    read: (path: string) => readFile(join(dir, 'tap', path), 'utf8'),
  }
}

/** The address of the repository in the line of the page. */
function addressOf(server: TestServer, client: (typeof clients)[number][0], base: string, channel: string): string {
  const card = updaterCard(server.url + base, 'rocket', { client, channel, names: [], fingerprint: null })
  return /https?:[^\s"']+\.git/.exec(card?.lines ?? '')?.[0] ?? ''
}

describe.each(clients)('feeds.repository, for %s by Git', (client, path, filename) => {
  beforeAll(() => needTools('git'), 180_000)

  test('is cloned, and pulls each change as a commit on the one before', async ({ server }) => {
    const { id, alice, owner, publish } = await aRocket(server)
    await publish('1.0.0', filename('1.0.0'))
    const url = addressOf(server, client, '/p/rocket', 'stable')
    expect(await (await server.fetch('/p/rocket')).text()).toContain(new URL(url).pathname)
    const { clone, pull, git, read } = await aComputer()
    await clone(url)
    const first = await git('rev-parse', 'HEAD')
    const same = new URL(url).pathname.replace('.git', path.includes('Casks') ? '/rocket.rb' : '/rocket.json')
    expect(await read(path)).toBe(await (await server.fetch(same)).text())

    await owner.projects.create({ title: 'Another one, which is in no feed of this one' })
    await pull()
    expect(await git('rev-parse', 'HEAD')).toBe(first)
    await publish('1.1.0', filename('1.1.0'))
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

  test('follows a tester link with a password to its channel until the link ends', async ({ server }) => {
    const { id, owner, publish } = await aRocket(server, false)
    for (const version of ['1.0.0', '2.0.0']) await publish(version, filename(version))
    await owner.releases.promote({ id, version: '2.0.0', channel: 'nightly' })
    const { base: at, testerId } = await aLockedLink(server, owner, id)
    const { clone, pull, read } = await aComputer()
    await clone(addressOf(server, client, at, 'beta'))
    expect(await read(path)).toContain(`${at}/releases/1.0.0/`)
    expect(await read(path)).not.toMatch(/2\.0\.0|\/p\/rocket/)
    const { clone: cloneAsVisitor } = await aComputer()
    await expect(cloneAsVisitor(addressOf(server, client, '/p/rocket', 'stable'))).rejects.toThrow('not found')

    await owner.testers.revoke({ id, testerId })
    await expect(pull()).rejects.toThrow('not found')
  })
})
