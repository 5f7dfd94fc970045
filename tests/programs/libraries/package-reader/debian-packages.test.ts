import { mkdtemp, open, readdir, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { lookInside } from '../../../../server/libraries/package-reader/look-inside'
import { named, noRoot } from '../../../support/system/rounds'
import { run } from '../../../support/system/debian'

/** Small packages of Debian, together 1.3 MB. */
const PACKAGES =
  `6tunnel bsdmainutils ca-certificates-java colorized-logs colordiff cowsay cpu-checker debconf-utils ed
  fdupes hello hexedit hicolor-icon-theme hostname init ipcalc iputils-ping libacl1 libattr1 libbz2-1.0 libcap2
  libcap-ng0 libcom-err2 libffi8 libkeyutils1 libmd0 libmnl0 libnsl2 libnss-mdns libnuma1 libpopt0 libsigsegv2 libss2
  libyaml-0-2 logsave lsb-release mailcap media-types ncal netbase nyancat pwgen rename sensible-utils sl time tofrodos
  tree ucf uuid`.split(/\s+/)

const ARCHITECTURES: Record<string, string[]> = {
  all: [],
  amd64: ['x64'],
  i386: ['x86'],
  armhf: ['arm'],
}

const newFolder = () => mkdtemp(join(tmpdir(), 'debian-packages-'))

const lookAt = async (path: string) => lookInside(path, (await stat(path)).size, () => open(path))

/** What `dpkg-deb` reads, in our words. */
async function expectedIn(path: string) {
  const { stdout } = await run('dpkg-deb', ['--field', path])
  const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(stdout)?.[1] ?? ''
  const architecture = field('Architecture')
  const facts = {
    app_id: field('Package'),
    version: field('Version'),
    publisher: field('Maintainer').split(' <', 1)[0],
    architectures: ARCHITECTURES[architecture] ?? [architecture],
  }
  return { facts, index: { kind: 'deb', control: stdout } }
}

describe.skipIf(noRoot)('equals dpkg-deb for', () => {
  test(named('50 packages of Debian'), async () => {
    const cwd = await newFolder()
    const download = () =>
      run('apt-get', ['download', '-o', 'APT::Sandbox::User=root', ...PACKAGES], { cwd })
    await download().catch(() => run('apt-get', ['update']).then(download))
    const paths = (await readdir(cwd)).map((name) => join(cwd, name))
    expect(paths).toHaveLength(50)
    for (const path of paths)
      expect(await lookAt(path), path).toMatchObject({ look: await expectedIn(path) })
  })
})
