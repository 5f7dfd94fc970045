import type { Subscriptions } from '../contract/projects/subscriptions'
import { posixQuoted } from './verify-commands'

type Client = Subscriptions['clients'][number]

/**
 * The lines that add a repository and install from it. `address`: of the project; `slug`: names the
 * file. A new Debian or Ubuntu has wget, but no curl.
 */
export function aptLines(address: string, slug: string, { channel, names }: Client): string {
  const name = channel === 'stable' ? slug : `${slug}-${channel}`
  const source = posixQuoted(`${address}/feeds/apt/${channel}.sources`)
  return [
    `sudo wget -nv -O /etc/apt/sources.list.d/${name}.sources ${source}`,
    'sudo apt update',
    `sudo apt install ${names.join(' ')}`,
  ].join('\n')
}

/** The lines for dnf, and those for zypper. */
export function rpmLines(
  address: string,
  slug: string,
  { channel, names }: Client,
): { dnf: string; zypper: string } {
  const name = channel === 'stable' ? slug : `${slug}-${channel}`
  const source = posixQuoted(`${address}/feeds/rpm/${channel}.repo`)

  return {
    dnf: [
      `sudo curl -fsSLo /etc/yum.repos.d/${name}.repo ${source}`,
      `sudo dnf install ${names.join(' ')}`,
    ].join('\n'),
    zypper: [`sudo zypper addrepo ${source}`, `sudo zypper install ${names.join(' ')}`].join('\n'),
  }
}

/** The lines that trust the key of this host, add a repository once and install from it. */
export function pacmanLines(
  address: string,
  slug: string,
  { channel, names, fingerprint }: Client,
): string {
  const name = channel === 'stable' ? slug : `${slug}-${channel}`
  const source = posixQuoted(`${address}/feeds/pacman/${channel}.conf`)

  return [
    `curl -fsSL ${posixQuoted(`${address}/feeds/keys/slipway.asc`)} | sudo pacman-key --add -`,
    `sudo pacman-key --lsign-key ${fingerprint}`,
    `grep -qxF '[${name}]' /etc/pacman.conf || curl -fsSL ${source} | sudo tee -a /etc/pacman.conf`,
    `sudo pacman -Syu ${names.join(' ')}`,
  ].join('\n')
}

/**
 * The line that installs from an index; pip takes one without HTTPS only by the name of its host.
 */
export function pipLine(address: string, { channel, names }: Client): string {
  const { protocol, host } = new URL(address)
  const trust = protocol === 'http:' ? ` --trusted-host ${host}` : ''
  return (
    `pip install --upgrade --index-url ${word(`${address}/feeds/pip/${channel}/`)}${trust} ` +
    names.join(' ')
  )
}

/** Quotes a word only if necessary, because the Windows command line has no single quotes. */
const word = (text: string) => (/^[\w:/.-]+$/.test(text) ? text : posixQuoted(text))

/**
 * The lines that install from a registry: with a scope, npm remembers it for the names of that
 * scope only.
 */
export function npmLines(address: string, { channel, names }: Client): string {
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

/** The address of an F-Droid repository, and the one that opens F-Droid. */
export function fdroidAddresses(address: string, { fingerprint }: Client) {
  const repository = `${address}/feeds/fdroid/repo?fingerprint=${fingerprint}`
  return { repository, opens: repository.replace(/^http(s?):/, 'fdroidrepo$1:') }
}

/** A fingerprint in groups of four. */
export const spaceFingerprint = (fingerprint: string): string =>
  fingerprint.replace(/.{4}(?=.)/g, '$& ')
