import type { Subscriptions, UpdateClient } from '../../contract/projects/subscriptions'
import { posixQuoted } from '../verify-commands'

type Client = Subscriptions['clients'][number]

/** Instructions for getting updates by a program. */
export interface UpdaterCard {
  title: string
  /** Systems on which the program runs. */
  systems: string
  /** Addresses that open the program. */
  links?: readonly { label: string; address: string }[]
  /** Terminal commands. */
  lines?: string
  /** The addresses that the program reads, each with what its button says. */
  feeds?: readonly { label: string; address: string }[]
  /** Commands are between backticks. */
  note?: string
}

type Describe = (of: {
  address: string
  slug: string
  channel: string
  names: readonly string[]
}) => UpdaterCard

const encoded = encodeURIComponent
const oneFeed = (address: string) => [{ label: 'Copy address', address }]

const cards: Partial<Record<UpdateClient, Describe>> = {
  obtainium: ({ address, channel }) => {
    const page = channel === 'stable' ? address : `${address}?channel=${encoded(channel)}`
    return {
      title: 'Obtainium',
      systems: 'Android',
      links: [{ label: 'Add to Obtainium', address: `obtainium://add/${page}` }],
      feeds: oneFeed(page),
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
      feeds: oneFeed(feed),
    }
  },
  winget: ({ address, slug, channel }) => ({
    title: 'winget',
    systems: 'Windows',
    ...(address.startsWith('https:')
      ? {
          lines: [
            `winget source add --name ${slug} --arg "${address}/feeds/winget/${channel}" ` +
              '--type Microsoft.Rest',
            `winget install ${slug} --source ${slug}`,
          ].join('\n'),
          note:
            'Run the first line once, as an administrator. winget accepts a source only if ' +
            'Windows trusts the certificate of this host. To update: `winget upgrade`',
        }
      : {
          lines: [
            `curl.exe -fsSLO "${address}/feeds/winget/${channel}/${slug}.yaml"`,
            `winget install --manifest ${slug}.yaml`,
          ].join('\n'),
          note:
            'Before, once and as an administrator: `winget settings --enable ' +
            'LocalManifestFiles`. To update, run both lines again.',
        }),
  }),
  scoop: ({ address, slug, channel }) => ({
    title: 'Scoop',
    systems: 'Windows',
    lines: [
      `scoop bucket add ${slug} "${address}/feeds/scoop/${channel}.git"`,
      `scoop install ${slug}/${slug}`,
    ].join('\n'),
    note:
      `To update: \`scoop update ${slug}\`. Buckets need Git; without it: \`scoop install ` +
      `"${address}/feeds/scoop/${channel}/${slug}.json"\``,
  }),
  homebrew: ({ address, slug, channel }) => ({
    title: 'Homebrew',
    systems: 'macOS',
    lines: [
      `brew tap local/${slug} ${posixQuoted(`${address}/feeds/homebrew/${channel}.git`)}`,
      `brew install --cask local/${slug}/${slug}`,
    ].join('\n'),
    note: `To update: \`brew upgrade --cask ${slug}\``,
  }),
  appimageupdate: ({ slug }) => ({
    title: 'AppImageUpdate',
    systems: 'Linux',
    lines: `appimageupdatetool ./${slug}.AppImage`,
    note:
      'Use the name of your file. It contains the address of its updates, which Gear Lever ' +
      'reads too, and only what has changed is downloaded.',
  }),
  gearlever: ({ address, channel, names }) => ({
    title: 'Gear Lever',
    systems: 'Linux',
    feeds: names.map((processor) => ({
      label: names.length === 1 ? 'Copy address' : `Copy address for ${processor}`,
      address: `${address}/feeds/zsync/${channel}/${processor}`,
    })),
    note:
      'In the details of the app, choose Static URL as the source of its updates, and paste the ' +
      'address.',
  }),
  vagrant: ({ address, channel }) => ({
    title: 'Vagrant',
    systems: 'Virtual machines',
    lines: `vagrant box add ${posixQuoted(`${address}/feeds/vagrant/${channel}/box.json`)}`,
    note: 'To update: `vagrant box update`',
  }),
  oci: ({ address, channel }) => {
    const { host, pathname, protocol } = new URL(address)
    const tag = channel === 'stable' ? 'latest' : channel
    const isEncrypted = protocol === 'https:'

    return {
      title: 'Podman and Docker',
      systems: 'Containers',
      lines:
        'podman pull ' +
        `${isEncrypted ? '' : '--tls-verify=false '}${host}/${repositoryOf(pathname)}:${tag}`,
      note: isEncrypted
        ? 'Docker pulls the same name.'
        : 'Docker pulls the same name, once its `insecure-registries` list this address.',
    }
  },
  imager: ({ address, channel }) => {
    const feed = `${address}/feeds/imager/${channel}/os_list.json`
    return {
      title: 'Raspberry Pi Imager',
      systems: 'Cards and drives',
      lines: `rpi-imager --repo ${posixQuoted(feed)}`,
      feeds: oneFeed(feed),
      note: 'The address is for App Options › Content Repository › Use custom URL.',
    }
  },
  'esp-web-tools': ({ address, channel }) => ({
    title: 'ESP Web Tools',
    systems: 'Boards with ESP chips',
    lines:
      '<esp-web-install-button ' +
      `manifest="${address}/feeds/esp-web-tools/${channel}/manifest.json">` +
      '</esp-web-install-button>',
    note: 'For a page of yours that installs this firmware over USB.',
  }),
  esphome: ({ address, channel }) => ({
    title: 'ESPHome',
    systems: 'Boards with ESP chips',
    lines:
      `update:\n  - platform: http_request\n    name: Firmware\n    source: ` +
      `${address}/feeds/esphome/${channel}/manifest.json`,
    note: 'Devices with these lines find each release by themselves.',
  }),
}

/**
 * The name of a repository in the registry of this host: it has no capital letters, so tokens are
 * in hexadecimal.
 */
function repositoryOf(path: string): string {
  const [, kind, name = ''] = path.split('/')
  if (kind !== 't') return name
  const bytes = new TextEncoder().encode(decodeURIComponent(name))
  return `t/${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`
}

/** The card of a program that people have; undefined: it is another one. */
export const updaterCard = (
  address: string,
  slug: string,
  { client, ...of }: Client,
): UpdaterCard | undefined => cards[client]?.({ address, slug, ...of })

/** A setting of an app whose updater, or browser, asks this host. */
export interface BuiltInFeed {
  /** The program that reads the address, and the place to enter it. */
  label: string
  feed: string
  /** Files that the creator still has to upload. */
  missing: readonly string[]
}

type Write = (feeds: string, channel: string, names: readonly string[]) => string

const builtIn: Partial<Record<UpdateClient, readonly [label: string, write: Write]>> = {
  sparkle: [
    'Sparkle and WinSparkle: SUFeedURL',
    (feeds, channel) => `${feeds}/sparkle/${channel}/appcast.xml`,
  ],
  tauri: ['Tauri: endpoints', (feeds, channel) => `${feeds}/tauri/${channel}/latest.json`],
  squirrel: [
    'Squirrel.Windows: the address of updates',
    (feeds, channel) => `${feeds}/squirrel/${channel}`,
  ],
  zsync: [
    'AppImage: its update information, by appimagetool -u',
    (feeds, channel, names) =>
      names.map((processor) => `zsync|${feeds}/zsync/${channel}/${processor}.zsync`).join('\n'),
  ],
  firefox: [
    'Firefox: update_url in manifest.json',
    (feeds, channel) => `${feeds}/firefox/${channel}/updates.json`,
  ],
  chromium: [
    'Chrome and Chromium: update_url in manifest.json',
    (feeds, channel) => `${feeds}/chromium/${channel}/updates.xml`,
  ],
}

/** Whether the updater is built into the app, so that users have nothing to add. */
export const isBuiltIn = (client: UpdateClient): boolean => client in builtIn

/** The feed of an updater inside of the app; undefined: people have the program. */
export function builtInFeed(
  address: string,
  { client, channel, names, unsigned = [] }: Client,
): BuiltInFeed | undefined {
  const [label, write] = builtIn[client] ?? []
  if (label === undefined || write === undefined) return undefined
  return {
    label,
    feed: write(`${address}/feeds`, channel, names),
    missing: unsigned.map((name) => `${name}.sig`),
  }
}
