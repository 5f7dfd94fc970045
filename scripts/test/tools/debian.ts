import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { Step } from '../outcome'
import { capture } from '../tool'
import type { Found } from './found'

/** The Debian package of each tool, found by a program or a file. */
const packages = {
  'chromium-headless-shell': 'chromium-headless-shell',
  chromium: 'chromium',
  Xvfb: 'xvfb',
  certutil: 'libnss3-tools',
  curl: 'curl',
  git: 'git',
  gpgv: 'gpgv',
  minisign: 'minisign',
  zsync: 'zsync',
  skopeo: 'skopeo',
  apksigner: 'apksigner',
  fdroidcl: 'fdroidcl',
  wget: 'wget',
  aria2c: 'aria2',
  unzip: 'unzip',
  '/usr/lib/python3/dist-packages/requests/api.py': 'python3-requests',
  'avahi-daemon': 'avahi-daemon',
  'avahi-browse': 'avahi-utils',
  'dbus-daemon': 'dbus',
  'mkfs.ext4': 'e2fsprogs',
  'mkfs.xfs': 'xfsprogs',
  xfs_io: 'xfsprogs',
  lsof: 'lsof',
  strace: 'strace',
  'systemd-analyze': 'systemd',
  ssh: 'openssh-client',
  ruby: 'ruby',
  aapt: 'aapt',
  msiinfo: 'msitools',
  osslsigncode: 'osslsigncode',
  plistutil: 'libplist-utils',
  rpmbuild: 'rpm',
  xorriso: 'xorriso',
  'qemu-img': 'qemu-utils',
  dnf: 'dnf',
  zypper: 'zypper',
  pacman: 'pacman-package-manager',
  // pacman-key needs it, but its package only recommends it.
  '/usr/share/makepkg/util/message.sh': 'makepkg',
  pip3: 'python3-pip',
  nft: 'nftables',
  conntrack: 'conntrack',
}
/** Needed by `npm run test:full` only. */
const onlyInFull = {
  wapiti: 'wapiti',
  slowhttptest: 'slowhttptest',
  wine: 'wine',
  'firefox-esr': 'firefox-esr',
  WebKitWebDriver: 'webkit2gtk-driver',
  jarsigner: 'default-jdk-headless',
}
const known: Record<string, string> = { ...packages, ...onlyInFull }
export type Tool = keyof typeof packages | keyof typeof onlyInFull

/** Updates the package lists only if the present ones fail. */
const INSTALL = `
install() { apt-get install -y --no-install-recommends "$@"; }
install "$@" || { apt-get update && install "$@"; }`

const canInstall = () => existsSync('/etc/debian_version') && process.getuid?.() === 0

export const toolsStep: Step = {
  name: 'tools',
  async run() {
    if (!canInstall()) return { passed: 0, failed: 0, note: 'those of this machine: only root on Debian can install' }
    const failure = await bring(...(Object.keys(packages) as Tool[]))
    return failure === undefined ? { passed: 1, failed: 0 } : { passed: 0, failed: 1, details: failure }
  },
}

/** The present packages of these tools with their versions, by name; empty elsewhere. */
export async function installedVersions(): Promise<string> {
  if (onPath('dpkg-query') === undefined) return ''
  const names = [...new Set(Object.values(known))]
  // It fails for a package that dpkg has never seen, and lists the others.
  const { output } = await capture('dpkg-query', ['-W', '-f', '${Package} ${Version}\n', ...names])
  return output
    .split('\n')
    .filter((line) => /^\S+ \S+$/.test(line))
    .toSorted()
    .join(', ')
}

/** Installs the packages of missing tools, and returns any error. Concurrent processes wait for each other. */
export async function bring(...tools: Tool[]): Promise<string | undefined> {
  const missing = new Set(tools.filter((tool) => onPath(tool) === undefined).map((tool) => known[tool] ?? tool))
  if (missing.size === 0) return undefined
  const args = ['/run/lock/slipway-tests-apt', 'sh', '-c', INSTALL, 'sh', ...missing]
  const { code, output } = await capture('flock', args, { DEBIAN_FRONTEND: 'noninteractive' })
  return code === 0 ? undefined : `apt-get could not bring ${[...missing].join(', ')}: ${output}`
}

export function onPath(...names: string[]): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  return names
    .flatMap((name) => (name.startsWith('/') ? [name] : folders.map((folder) => join(folder, name))))
    .find((path) => existsSync(path))
}

/** The result of `find`, after installing these tools if it fails as root on Debian. */
export async function foundOrInstalled(find: () => string | undefined, ...tools: Tool[]): Promise<Found> {
  const present = find()
  if (present !== undefined) return { path: present }
  if (!canInstall()) return { missing: `no ${tools.join(', ')}` }
  const failure = await bring(...tools)
  const path = find()
  return path === undefined ? { missing: failure ?? `apt-get brought no ${tools.join(', ')}` } : { path }
}
