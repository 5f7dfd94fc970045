import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { capture } from '../tool'
import { canInstall, onPath } from './debian'

/**
 * Debian packages that tests run without installing them: that would start services and create
 * users.
 */
const packages = {
  'miniupnpd-nftables': ['miniupnpd-nftables'],
  miniupnpc: ['miniupnpc'],
  natpmpc: ['natpmpc'],
  pebble: ['pebble'],
  'openssh-server': ['openssh-server'],
  coturn: ['coturn'],
  libfaketime: ['libfaketime'],
  nginx: ['nginx'],
  haproxy: ['haproxy'],
  caddy: ['caddy'],
  // Small bootable images.
  'memtest86+': ['memtest86+', 'ipxe', 'grub-rescue-pc'],
  'systemd-container': ['systemd-container'],
  podman: ['podman', 'conmon', 'crun', 'golang-github-containers-common'],
  vagrant: ['vagrant'],
  fdroidserver: ['fdroidserver'],
  kotlin: ['kotlin'],
  'mono-mcs': ['mono-mcs', 'libmono-system-net-http4.0-cil'],
  'godot3-server': ['godot3-server'],
  'libimage-exiftool-perl': ['libimage-exiftool-perl'],
  // Its programs find each other in one root.
  postgresql: ['postgresql'],
  ceph: ['ceph-mon', 'ceph-osd', 'radosgw', 'ceph-common'],
}
export type Unpackable = keyof typeof packages

/** Packages and the libraries that this machine lacks, unpacked into one folder. */
export interface Unpacked {
  /**
   * The path of one of its files, e.g. `usr/bin/pebble`. Throws if the package has no such file.
   */
  file: (path: string) => string
  /** The environment of its programs. */
  env: { LD_LIBRARY_PATH: string }
}

const CACHE = '/var/cache/slipway-tests'

/** apt-get finds the present versions and libraries. The folder appears complete or not at all. */
const UNPACK = `
set -eu
folder=$1
shift
[ ! -d "$folder" ] || exit 0
work=$folder.$$
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/debs/partial" "$work/root"
download() {
  apt-get install -y --download-only --reinstall --allow-downgrades --no-install-recommends \
    -o APT::Sandbox::User=root -o Dir::Cache::archives="$work/debs" "$@"
}
download "$@" || { apt-get update && download "$@"; }
for deb in "$work"/debs/*.deb; do dpkg-deb -x "$deb" "$work/root"; done
mv "$work/root" "$folder"`

/**
 * Why this run cannot unpack packages. Undefined if it can. In CI it always tries, and fails if it
 * cannot.
 */
export const cannotUnpack: string | undefined =
  process.env['CI'] !== undefined || canInstall
    ? undefined
    : 'needs Debian packages: --install, as root on Debian'

/** The packages that are unpacked on this machine, with their folders. */
export const unpackedFolders = (): [string, string][] =>
  Object.entries(packages)
    .map(([name, [main = name]]): [string, string] => [main, join(CACHE, name)])
    .filter(([, folder]) => existsSync(folder))

/**
 * Unpacks packages once per machine. Concurrent processes wait for each other. Throws with the
 * words of apt-get.
 */
export const unpack = (name: Unpackable): Promise<Unpacked> => unpackInto(name, packages[name])

/**
 * Like `unpack`, for other packages, which may include a version:
 * `chromium-headless-shell=150.0.1`.
 */
export async function unpackInto(name: string, names: readonly string[]): Promise<Unpacked> {
  const root = join(CACHE, name)
  if (!existsSync(root)) await download(names, root)

  const folders = [join(root, 'usr/lib'), join(root, 'lib')]
  const libraries = await Promise.all(folders.map(librariesIn))

  return {
    file(path) {
      const file = join(root, path)
      if (!existsSync(file)) throw new Error(`The Debian package ${name} has no ${path}`)
      return file
    },
    env: { LD_LIBRARY_PATH: libraries.flat().join(':') },
  }
}

async function download(names: readonly string[], root: string): Promise<void> {
  const all = names.join(', ')
  if (onPath('apt-get', 'dpkg-deb') === undefined)
    throw new Error(`Cannot unpack ${all}: only Debian has apt-get`)
  const args = ['/run/lock/slipway-tests-apt', 'sh', '-c', UNPACK, 'sh', root, ...names]
  const { code, output } = await capture('flock', args, { DEBIAN_FRONTEND: 'noninteractive' })
  if (code !== 0) throw new Error(`apt-get could not download ${all}: ${output}`)
}

/** Debian keeps libraries in a folder per architecture, such as x86_64-linux-gnu. */
async function librariesIn(folder: string): Promise<string[]> {
  if (!existsSync(folder)) return []
  const names = await readdir(folder)
  return names.filter((name) => /-linux-gnu/.test(name)).map((name) => join(folder, name))
}
