import { posixQuoted } from '../shell-quote'
import { oneFeed, type Offer, type Program } from './client'

/** The programs of developers and makers, in the order of their cards. */
export const toolClients = {
  vagrant: {
    card: ({ address, channel }) => ({
      title: 'Vagrant',
      systems: 'Virtual machines',
      lines: {
        Vagrant: `vagrant box add ${posixQuoted(`${address}/feeds/vagrant/${channel}/box.json`)}`,
      },
      note: 'To update: `vagrant box update`',
    }),
  },
  oci: {
    card: ({ address, channel }) => {
      const { host, pathname, protocol } = new URL(address)
      const tag = channel === 'stable' ? 'latest' : channel
      const isEncrypted = protocol === 'https:'
      const image = `${host}/${imageName(pathname)}:${tag}`

      return {
        title: 'Podman and Docker',
        systems: 'Containers',
        lines: {
          'Podman and Docker': `podman pull ${isEncrypted ? '' : '--tls-verify=false '}${image}`,
        },
        note: isEncrypted
          ? 'Docker pulls the same name.'
          : 'Docker pulls the same name, once its `insecure-registries` list this address.',
      }
    },
  },
  pip: {
    card: ({ address, channel, names }) => {
      const { protocol, host } = new URL(address)
      // Without HTTPS, pip takes an index only by the name of its host.
      const trust = protocol === 'http:' ? ` --trusted-host ${host}` : ''
      const index = word(`${address}/feeds/pip/${channel}/`)

      return {
        title: 'pip',
        systems: 'Python',
        lines: { pip: `pip install --upgrade --index-url ${index}${trust} ${names.join(' ')}` },
      }
    },
  },
  npm: {
    card: (offer) => ({
      title: 'npm',
      systems: 'Node.js',
      lines: { npm: npmLines(offer) },
      note: `Yarn 4 takes a release after a day. To take it immediately: ${yarnLine(offer)}.`,
    }),
  },
  imager: {
    card: ({ address, channel }) => {
      const feed = `${address}/feeds/imager/${channel}/os_list.json`
      return {
        title: 'Raspberry Pi Imager',
        systems: 'Cards and drives',
        lines: { 'Raspberry Pi Imager': `rpi-imager --repo ${posixQuoted(feed)}` },
        feeds: oneFeed(feed),
        note: 'The address is for App Options › Content Repository › Use custom URL.',
      }
    },
  },
  'esp-web-tools': {
    card: ({ address, channel }) => {
      const manifest = `${address}/feeds/esp-web-tools/${channel}/manifest.json`
      return {
        title: 'ESP Web Tools',
        systems: 'Boards with ESP chips',
        lines: {
          'ESP Web Tools':
            `<esp-web-install-button manifest="${manifest}">` + '</esp-web-install-button>',
        },
        note: 'For a page of yours that installs this firmware over USB.',
      }
    },
  },
  esphome: {
    card: ({ address, channel }) => ({
      title: 'ESPHome',
      systems: 'Boards with ESP chips',
      lines: {
        ESPHome: [
          'update:',
          '  - platform: http_request',
          '    name: Firmware',
          `    source: ${address}/feeds/esphome/${channel}/manifest.json`,
        ].join('\n'),
      },
      note: 'Devices with these lines find each release by themselves.',
    }),
  },
} satisfies Readonly<Record<string, Program>>

/**
 * The name of a repository in the registry of this host: it has no capital letters, so tokens are
 * in hexadecimal.
 */
function imageName(path: string): string {
  const [, kind, name = ''] = path.split('/')
  if (kind !== 't') return name
  const bytes = new TextEncoder().encode(decodeURIComponent(name))
  return `t/${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`
}

/** Quotes a word only if necessary, because the Windows command line has no single quotes. */
const word = (text: string) => (/^[\w:/.-]+$/.test(text) ? text : posixQuoted(text))

/** Yarn checks the age of a release since 4.10. */
const yarnLine = ({ names }: Offer) =>
  `\`yarn config set npmPreapprovedPackages --json '${JSON.stringify(names)}'\``

/** With a scope, npm remembers a registry for the names of that scope only. */
function npmLines({ address, channel, names }: Offer): string {
  const registry = word(`${address}/feeds/npm/`)
  const tag = channel === 'stable' ? '' : `@${channel}`
  const scopes = new Set(names.flatMap((name) => /^@[^/]+/.exec(name) ?? []))
  const scoped = names.filter((name) => name.startsWith('@'))
  const others = names.filter((name) => !name.startsWith('@'))
  const install = (some: readonly string[]) => some.map((name) => ` ${name}${tag}`).join('')
  return [
    ...[...scopes].map(
      (scope) => `npm config set --location=project ${scope}:registry ${registry}`,
    ),
    ...(scoped.length > 0 ? [`npm install${install(scoped)}`] : []),
    ...(others.length > 0 ? [`npm install --registry ${registry}${install(others)}`] : []),
  ].join('\n')
}
