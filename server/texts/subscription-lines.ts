import type { Subscriptions } from '../contract/projects/subscriptions'
import { posixQuoted } from './verify-commands'

type Client = Subscriptions['clients'][number]

/** The lines that add a repository and install from it. `address`: of the project; `slug`: names the file. */
export function aptLines(address: string, slug: string, { channel, names }: Client): string {
  const name = channel === 'stable' ? slug : `${slug}-${channel}`
  const source = posixQuoted(`${address}/feeds/apt/${channel}.sources`)
  return [
    `sudo curl -fsSLo /etc/apt/sources.list.d/${name}.sources ${source}`,
    'sudo apt update',
    `sudo apt install ${names.join(' ')}`,
  ].join('\n')
}

/** The lines for dnf, and those for zypper. */
export function rpmLines(address: string, slug: string, { channel, names }: Client): { dnf: string; zypper: string } {
  const name = channel === 'stable' ? slug : `${slug}-${channel}`
  const source = posixQuoted(`${address}/feeds/rpm/${channel}.repo`)
  return {
    dnf: [`sudo curl -fsSLo /etc/yum.repos.d/${name}.repo ${source}`, `sudo dnf install ${names.join(' ')}`].join('\n'),
    zypper: [`sudo zypper addrepo ${source}`, `sudo zypper install ${names.join(' ')}`].join('\n'),
  }
}

/** The address of an F-Droid repository, and the one that opens F-Droid. */
export function fdroidAddresses(address: string, { fingerprint }: Client) {
  const repository = `${address}/feeds/fdroid/repo?fingerprint=${fingerprint}`
  return { repository, opens: repository.replace(/^http(s?):/, 'fdroidrepo$1:') }
}

/** The address of a list of images or firmware, and what to write to use it. */
export function writerLines(address: string, { client, channel }: Client): { list: string; lines: string } {
  const list = `${address}/feeds/${client}/${channel}/${client === 'imager' ? 'os_list.json' : 'manifest.json'}`
  if (client === 'imager') return { list, lines: `rpi-imager --repo ${posixQuoted(list)}` }
  if (client === 'esphome')
    return { list, lines: `update:\n  - platform: http_request\n    name: Firmware\n    source: ${list}` }
  return { list, lines: `<esp-web-install-button manifest="${list}"></esp-web-install-button>` }
}

/** A fingerprint in groups of four. */
export const spaced = (fingerprint: string): string => fingerprint.replace(/.{4}(?=.)/g, '$& ')
