import { posixQuoted } from '../shell-quote'
import { oneFeed, type Offer, type Program } from './client'

const encoded = encodeURIComponent
const SCAN = 'Scan it with the device.'
const sourceName = ({ channel, slug }: Offer) =>
  channel === 'stable' ? slug : `${slug}-${channel}`

/** The programs of one system, in the order of their cards. */
export const systemClients = {
  // A new Debian or Ubuntu has wget, but no curl.
  apt: {
    runsOn: ['Linux'],
    card: (offer) => {
      const { address, channel, names } = offer
      const source = posixQuoted(`${address}/feeds/apt/${channel}.sources`)
      const list = `/etc/apt/sources.list.d/${sourceName(offer)}.sources`

      return {
        title: 'apt',
        systems: 'Debian, Ubuntu and others',
        lines: {
          apt: [
            `sudo wget -nv -O ${list} ${source}`,
            'sudo apt update',
            `sudo apt install ${names.join(' ')}`,
          ].join('\n'),
        },
      }
    },
  },
  rpm: {
    runsOn: ['Linux'],
    card: (offer) => {
      const { address, channel, names } = offer
      const source = posixQuoted(`${address}/feeds/rpm/${channel}.repo`)

      return {
        title: 'dnf and zypper',
        systems: 'Fedora, openSUSE and others',
        lines: {
          dnf: [
            `sudo curl -fsSLo /etc/yum.repos.d/${sourceName(offer)}.repo ${source}`,
            `sudo dnf install ${names.join(' ')}`,
          ].join('\n'),
          zypper: `sudo zypper addrepo ${source}\nsudo zypper install ${names.join(' ')}`,
        },
      }
    },
  },
  // The lines trust the key of this host, and add the repository once.
  pacman: {
    runsOn: ['Linux'],
    card: (offer) => {
      const { address, channel, names, fingerprint } = offer
      const key = posixQuoted(`${address}/feeds/keys/slipway.asc`)
      const source = posixQuoted(`${address}/feeds/pacman/${channel}.conf`)
      const file = '/etc/pacman.conf'

      return {
        title: 'pacman',
        systems: 'Arch Linux, SteamOS and others',
        lines: {
          pacman: [
            `curl -fsSL ${key} | sudo pacman-key --add -`,
            `sudo pacman-key --lsign-key ${fingerprint}`,
            `grep -qxF '[${sourceName(offer)}]' ${file} || ` +
              `curl -fsSL ${source} | sudo tee -a ${file}`,
            `sudo pacman -Syu ${names.join(' ')}`,
          ].join('\n'),
        },
      }
    },
  },
  fdroid: {
    runsOn: ['Android'],
    card: ({ address, fingerprint }) => {
      const card = { title: 'F-Droid', systems: 'Android' }
      if (fingerprint === null)
        return {
          ...card,
          note: 'This host is preparing the repository. Reload this page in a few seconds.',
        }
      const repository = `${address}/feeds/fdroid/repo?fingerprint=${fingerprint}`
      const opens = repository.replace(/^http(s?):/, 'fdroidrepo$1:')

      return {
        ...card,
        links: [{ label: 'Add to F-Droid', address: opens }],
        feeds: oneFeed(repository),
        scan: { address: repository, hint: 'Scan it in F-Droid, under Repositories.' },
      }
    },
  },
  obtainium: {
    runsOn: ['Android'],
    card: ({ address, channel }) => {
      const page = channel === 'stable' ? address : `${address}?channel=${encoded(channel)}`
      const add = `obtainium://add/${page}`
      return {
        title: 'Obtainium',
        systems: 'Android',
        links: [{ label: 'Add to Obtainium', address: add }],
        feeds: oneFeed(page),
        scan: { address: add, hint: SCAN },
      }
    },
  },
  altstore: {
    runsOn: ['iOS'],
    card: ({ address, channel }) => {
      const feed = `${address}/feeds/altstore/${channel}/source.json`
      const add = `altstore://source?url=${encoded(feed)}`

      return {
        title: 'AltStore and SideStore',
        systems: 'iPhone and iPad',
        links: [
          { label: 'Add to AltStore', address: add },
          { label: 'Add to SideStore', address: `sidestore://source?url=${encoded(feed)}` },
        ],
        feeds: oneFeed(feed),
        scan: { address: add, hint: SCAN },
      }
    },
  },
  winget: {
    runsOn: ['Windows'],
    card: ({ address, slug, channel }) => {
      const card = { title: 'winget', systems: 'Windows' }
      const feed = `${address}/feeds/winget/${channel}`
      if (!address.startsWith('https:'))
        return {
          ...card,
          lines: {
            winget: [
              `curl.exe -fsSLO "${feed}/${slug}.yaml"`,
              `winget install --manifest ${slug}.yaml`,
            ].join('\n'),
          },
          note:
            'Before, once and as an administrator: ' +
            '`winget settings --enable LocalManifestFiles`. To update, run both lines again.',
        }

      return {
        ...card,
        lines: {
          winget: [
            `winget source add --name ${slug} --arg "${feed}" --type Microsoft.Rest`,
            `winget install ${slug} --source ${slug}`,
          ].join('\n'),
        },
        note:
          'Run the first line once, as an administrator. winget accepts a source only if ' +
          'Windows trusts the certificate of this host. To update: `winget upgrade`',
      }
    },
  },
  scoop: {
    runsOn: ['Windows'],
    card: ({ address, slug, channel }) => {
      const feed = `${address}/feeds/scoop/${channel}`

      return {
        title: 'Scoop',
        systems: 'Windows',
        lines: { Scoop: `scoop bucket add ${slug} "${feed}.git"\nscoop install ${slug}/${slug}` },
        note:
          `To update: \`scoop update ${slug}\`. Buckets need Git; ` +
          `without it: \`scoop install "${feed}/${slug}.json"\``,
      }
    },
  },
  homebrew: {
    runsOn: ['macOS'],
    card: ({ address, slug, channel }) => {
      const tap = posixQuoted(`${address}/feeds/homebrew/${channel}.git`)
      return {
        title: 'Homebrew',
        systems: 'macOS',
        lines: {
          Homebrew: `brew tap local/${slug} ${tap}\nbrew install --cask local/${slug}/${slug}`,
        },
        note: `To update: \`brew upgrade --cask ${slug}\``,
      }
    },
  },
  appimageupdate: {
    runsOn: ['Linux'],
    card: ({ slug }) => ({
      title: 'AppImageUpdate',
      systems: 'Linux',
      lines: { AppImageUpdate: `appimageupdatetool ./${slug}.AppImage` },
      note:
        'Use the name of your file. It contains the address of its updates, ' +
        'which Gear Lever reads too, and only what has changed is downloaded.',
    }),
  },
  gearlever: {
    runsOn: ['Linux'],
    card: ({ address, channel, names }) => ({
      title: 'Gear Lever',
      systems: 'Linux',
      feeds: names.map((processor) => ({
        label: names.length === 1 ? 'Copy address' : `Copy address for ${processor}`,
        address: `${address}/feeds/zsync/${channel}/${processor}`,
      })),
      note:
        'In the details of the app, choose Static URL as the source of its updates, ' +
        'and paste the address.',
    }),
  },
} satisfies Readonly<Record<string, Program>>
