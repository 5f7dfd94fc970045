import type { Subscriptions, UpdateClient } from '../../contract/projects/subscriptions'
import { posixQuoted } from '../verify-commands'

type Client = Subscriptions['clients'][number]

/** What a person does to get updates by a program. */
export interface UpdaterCard {
  title: string
  /** Where the program runs. */
  systems: string
  /** Addresses that open the program. */
  links?: readonly { label: string; address: string }[]
  /** For a terminal. */
  lines?: string
  /** The address that the program reads. */
  feed?: string
  note?: string
}

type Describe = (of: { address: string; slug: string; channel: string }) => UpdaterCard

const encoded = encodeURIComponent

const cards: Partial<Record<UpdateClient, Describe>> = {
  obtainium: ({ address, channel }) => {
    const page = channel === 'stable' ? address : `${address}?channel=${encoded(channel)}`
    return {
      title: 'Obtainium',
      systems: 'Android',
      links: [{ label: 'Add to Obtainium', address: `obtainium://add/${page}` }],
      feed: page,
    }
  },
  altstore: ({ address, channel }) => {
    const feed = `${address}/feeds/altstore/${channel}/source.json`
    return {
      title: 'AltStore and SideStore',
      systems: 'iPhone and iPad',
      links: [
        { label: 'Add to AltStore', address: `altstore://source?url=${encoded(feed)}` },
        { label: 'Add to SideStore', address: `sidestore://source?url=${encoded(feed)}` },
      ],
      feed,
    }
  },
  winget: ({ address, slug, channel }) => ({
    title: 'winget',
    systems: 'Windows',
    ...(address.startsWith('https:')
      ? {
          lines: [
            `winget source add --name ${slug} --arg "${address}/feeds/winget/${channel}" --type Microsoft.Rest`,
            `winget install ${slug} --source ${slug}`,
          ].join('\n'),
          note: 'Run the first line once, as an administrator. winget accepts a source only if Windows trusts the certificate of this host. To update: winget upgrade',
        }
      : {
          lines: [
            `curl.exe -fsSLO "${address}/feeds/winget/${channel}/${slug}.yaml"`,
            `winget install --manifest ${slug}.yaml`,
          ].join('\n'),
          note: 'Run both lines again to update. Once, as an administrator: winget settings --enable LocalManifestFiles. Over HTTPS this project is a source for winget.',
        }),
  }),
  scoop: ({ address, slug, channel }) => ({
    title: 'Scoop',
    systems: 'Windows',
    lines: [`scoop bucket add ${slug} "${address}/feeds/scoop/${channel}.git"`, `scoop install ${slug}/${slug}`].join(
      '\n',
    ),
    note: `To update: scoop update ${slug}. Buckets need Git; without it: scoop install "${address}/feeds/scoop/${channel}/${slug}.json"`,
  }),
  homebrew: ({ address, slug, channel }) => ({
    title: 'Homebrew',
    systems: 'macOS',
    lines: [
      `brew tap local/${slug} ${posixQuoted(`${address}/feeds/homebrew/${channel}.git`)}`,
      `brew install --cask local/${slug}/${slug}`,
    ].join('\n'),
    note: `To update: brew upgrade --cask ${slug}`,
  }),
  vagrant: ({ address, channel }) => ({
    title: 'Vagrant',
    systems: 'Virtual machines',
    lines: `vagrant box add ${posixQuoted(`${address}/feeds/vagrant/${channel}/box.json`)}`,
    note: 'To update: vagrant box update',
  }),
  oci: ({ address, channel }) => {
    const { host, pathname, protocol } = new URL(address)
    const tag = channel === 'stable' ? 'latest' : channel
    const isEncrypted = protocol === 'https:'
    return {
      title: 'Podman and Docker',
      systems: 'Containers',
      lines: `podman pull ${isEncrypted ? '' : '--tls-verify=false '}${host}/${repositoryOf(pathname)}:${tag}`,
      note: isEncrypted
        ? 'Docker pulls the same name.'
        : 'Docker pulls the same name, once its insecure-registries list this address.',
    }
  },
  imager: ({ address, channel }) => {
    const feed = `${address}/feeds/imager/${channel}/os_list.json`
    return {
      title: 'Raspberry Pi Imager',
      systems: 'Cards and drives',
      lines: `rpi-imager --repo ${posixQuoted(feed)}`,
      feed,
      note: 'The address is for App Options › Content Repository › Use custom URL.',
    }
  },
  'esp-web-tools': ({ address, channel }) => ({
    title: 'ESP Web Tools',
    systems: 'Boards with ESP chips',
    lines: `<esp-web-install-button manifest="${address}/feeds/esp-web-tools/${channel}/manifest.json"></esp-web-install-button>`,
    note: 'For a page of yours that installs this firmware over USB.',
  }),
  esphome: ({ address, channel }) => ({
    title: 'ESPHome',
    systems: 'Boards with ESP chips',
    lines: `update:\n  - platform: http_request\n    name: Firmware\n    source: ${address}/feeds/esphome/${channel}/manifest.json`,
    note: 'Devices with these lines find each release by themselves.',
  }),
}

/** The name of a repository in the registry of this host: it has no capital letters, so tokens are in hexadecimal. */
function repositoryOf(path: string): string {
  const [, kind, name = ''] = path.split('/')
  if (kind !== 't') return name
  const bytes = new TextEncoder().encode(decodeURIComponent(name))
  return `t/${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`
}

/** The card of a program that people have; undefined: it is another one. */
export const updaterCard = (address: string, slug: string, { client, channel }: Client): UpdaterCard | undefined =>
  cards[client]?.({ address, slug, channel })

/** A setting of an app whose updater, or browser, asks this host. */
export interface BuiltInFeed {
  /** Who asks, and where its address is written. */
  label: string
  feed: string
  /** What its creator still has to upload. */
  missing: readonly string[]
}

const builtIn: Partial<
  Record<UpdateClient, readonly [label: string, path: (channel: string, names: readonly string[]) => string]>
> = {
  sparkle: ['Sparkle and WinSparkle: SUFeedURL', (channel) => `sparkle/${channel}/appcast.xml`],
  tauri: ['Tauri: endpoints', (channel) => `tauri/${channel}/latest.json`],
  squirrel: ['Squirrel.Windows: the address of updates', (channel) => `squirrel/${channel}`],
  zsync: ['AppImage: update information, zsync|', (channel, [processor = '']) => `zsync/${channel}/${processor}.zsync`],
  firefox: ['Firefox: update_url in manifest.json', (channel) => `firefox/${channel}/updates.json`],
  chromium: ['Chrome and Chromium: update_url in manifest.json', (channel) => `chromium/${channel}/updates.xml`],
}

/** Whether an updater is inside of the app, so that people have nothing to add. */
export const isBuiltIn = (client: UpdateClient): boolean => client in builtIn

/** The feed of an updater inside of the app; undefined: people have the program. */
export function builtInFeed(
  address: string,
  { client, channel, names, unsigned = [] }: Client,
): BuiltInFeed | undefined {
  const [label, path] = builtIn[client] ?? []
  if (label === undefined || path === undefined) return undefined
  return { label, feed: `${address}/feeds/${path(channel, names)}`, missing: unsigned.map((name) => `${name}.sig`) }
}
