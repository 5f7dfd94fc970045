import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { Step } from '../outcome'
import { capture } from '../tool'
import type { Found } from './found'

/** The Debian package of each tool, found by a program or a file. */
const packages = {
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
  ip: 'iproute2',
  nft: 'nftables',
  conntrack: 'conntrack',
}
/** The Debian packages of the libraries that Electron loads. */
export const electronLibraries = ['libgtk-3-0', 'libnss3', 'libasound2', 'libgbm1']
/** Needed by `npm run test:full` only. */
const onlyInFull = {
  wapiti: 'wapiti',
  wine: 'wine',
  'firefox-esr': 'firefox-esr',
  WebKitWebDriver: 'webkit2gtk-driver',
  jarsigner: 'default-jdk-headless',
  debootstrap: 'debootstrap',
  buildah: 'buildah',
  podman: 'podman',
  runc: 'runc',
  zip: 'zip',
  mksquashfs: 'squashfs-tools',
  xdotool: 'xdotool',
  shellcheck: 'shellcheck',
}
const known: Record<string, string> = { ...packages, ...onlyInFull }
export type Tool = keyof typeof packages | keyof typeof onlyInFull

/** Updates the package lists only if the present ones fail. */
const INSTALL = `
install() { apt-get install -y --no-install-recommends "$@"; }
install "$@" || { apt-get update && install "$@"; }`

/** Only CI and `npm run test:all -- --install` change the machine, and only root on Debian can. */
const mayInstall =
  process.env['CI'] !== undefined || process.env['SLIPWAY_TEST_INSTALL'] !== undefined
export const canInstall =
  mayInstall && existsSync('/etc/debian_version') && process.getuid?.() === 0

/** Installs all tools of the full run, or lists them. */
export const toolsStep: Step = {
  name: 'tools',
  async run() {
    const missing = missingPackages(Object.keys(packages) as Tool[])
    if (missing.length === 0) return { passed: 1, failed: 0 }
    if (!canInstall)
      return {
        passed: 0,
        failed: 0,
        note: `${missing.length} Debian packages are missing`,
        details: adviceFor(missing),
      }

    const failure = await installPackages(missing)
    return failure === undefined
      ? { passed: 1, failed: 0 }
      : { passed: 0, failed: 1, details: failure }
  },
}

const adviceFor = (missing: readonly string[]) =>
  `Tests that need them do not run: ${missing.join(', ')}\n` +
  'On Debian, as root, `npm run test:all -- --install` installs them.'

/** The present packages of these tools with their versions, by name; empty elsewhere. */
export async function installedVersions(): Promise<string> {
  if (onPath('dpkg-query') === undefined) return ''
  const names = [...new Set(Object.values(known))]
  // dpkg-query fails for a package that it has never seen, and lists the others.
  const { output } = await capture('dpkg-query', ['-W', '-f', '${Package} ${Version}\n', ...names])
  return output
    .split('\n')
    .filter((line) => /^\S+ \S+$/.test(line))
    .toSorted()
    .join(', ')
}

/** Begins the message of a test that cannot run because this machine lacks a program. */
export const NEEDS = 'Needs '

/**
 * Installs the packages of missing tools where this run may, and returns any error. Concurrent
 * processes wait for each other.
 */
export async function bring(...tools: Tool[]): Promise<string | undefined> {
  const missing = missingPackages(tools)
  if (missing.length === 0) return undefined
  return canInstall ? installPackages(missing) : `${NEEDS}${missing.join(', ')}`
}

function missingPackages(tools: readonly Tool[]): string[] {
  return [
    ...new Set(
      tools.filter((tool) => onPath(tool) === undefined).map((tool) => known[tool] ?? tool),
    ),
  ]
}

/** Returns any error. */
export async function installPackages(names: readonly string[]): Promise<string | undefined> {
  const args = ['/run/lock/slipway-tests-apt', 'sh', '-c', INSTALL, 'sh', ...names]
  const { code, output } = await capture('flock', args, { DEBIAN_FRONTEND: 'noninteractive' })
  return code === 0 ? undefined : `apt-get could not install ${names.join(', ')}: ${output}`
}

export function onPath(...names: string[]): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  return names
    .flatMap((name) =>
      name.startsWith('/') ? [name] : folders.map((folder) => join(folder, name)),
    )
    .find((path) => existsSync(path))
}

/** The result of `find`, after installing these tools where it fails and this run may. */
export async function foundOrInstalled(
  find: () => string | undefined,
  ...tools: Tool[]
): Promise<Found> {
  const present = find()
  if (present !== undefined) return { path: present }

  const failure = canInstall ? await bring(...tools) : undefined
  const path = find()
  return path === undefined ? { missing: failure ?? tools.join(', ') } : { path }
}
