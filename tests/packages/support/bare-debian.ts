import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, readFile, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { run, unpacked } from '../../support/system/debian'
import { tempDir } from '../../support/system/temp-dir'
import { until } from '../../support/world/process'

/** The folder appears complete or not at all. No service starts in it. */
const BOOTSTRAP = `
[ ! -d "$1" ] || exit 0
trap 'rm -rf "$1.$$"' EXIT
debootstrap --variant=minbase "$2" "$1.$$" >&2
printf '#!/bin/sh\\nexit 101\\n' > "$1.$$/usr/sbin/policy-rc.d"
chmod +x "$1.$$/usr/sbin/policy-rc.d"
DEBIAN_FRONTEND=noninteractive chroot "$1.$$" \\
  apt-get install --yes --no-install-recommends $3 >&2
rm "$1.$$/usr/sbin/policy-rc.d"
mv "$1.$$" "$1"`

/** A Debian without Node, booted by its own systemd, in a network of its own. */
export interface BareDebian {
  /** Runs lines as its root, and returns what they print. */
  enter: (lines: string) => Promise<string>
  /** The words before a program of this machine that put it into that network. */
  network: string[]
  /** Copies a file to its folder /root. */
  bring: (path: string) => Promise<void>
}

/** The folder of a Debian with these packages, which nothing may change. */
export async function debianFolder(name: string, release: string, packages: string) {
  const folder = join('/var/cache/slipway-tests', name)
  const words = ['sh', '-euc', BOOTSTRAP, 'sh', folder, release, packages]
  await run('flock', ['/run/lock/slipway-tests-bare', ...words], { maxBuffer: 2 ** 26 })
  return folder
}

/** The same without Node. */
export const bareDebianFolder = (): Promise<string> =>
  debianFolder('bare-debian', 'bookworm', 'systemd-sysv curl wget rpm')

export async function aBareDebian(): Promise<BareDebian> {
  const base = await bareDebianFolder()
  const root = join(await tempDir(), 'root')
  await run('cp', ['--archive', '--reflink=auto', base, root])
  // Its network has no Debian.
  await rm(join(root, 'etc/apt/sources.list'))

  const { 'systemd-container': systemd } = await unpacked('systemd-container')
  const options = ['--quiet', '--boot', '--private-network', '--register=no', '--keep-unit']
  // It ends with us.
  const program = ['--pdeathsig', 'KILL', systemd.file('usr/bin/systemd-nspawn')]
  const container = spawn(
    'setpriv',
    [...program, ...options, '--console=pipe', '--directory', root],
    { env: { ...process.env, ...systemd.env }, stdio: 'ignore' },
  )
  const ended = once(container, 'exit')
  onTestFinished(async () => {
    container.kill('SIGTERM')
    await ended
  })

  const leader = async () =>
    (await readFile(`/proc/${container.pid}/task/${container.pid}/children`, 'utf8')).trim()
  const env = { PATH: '/usr/sbin:/usr/bin', HOME: '/root', DEBIAN_FRONTEND: 'noninteractive' }
  const enter = async (lines: string) => {
    const words = ['--all', '--target', await leader(), 'sh', '-euc', lines]
    const { stdout } = await run('nsenter', words, { env })
    return stdout
  }

  await until(() => enter('systemctl is-active multi-user.target').then(Boolean, () => false), 60)
  return {
    enter,
    network: ['nsenter', '--net', '--target', await leader()],
    bring: (path) => copyFile(path, join(root, 'root', basename(path))),
  }
}
