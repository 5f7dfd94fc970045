import type { InstallObstacle } from '../../texts/install-view'
import { formatDate, formatQuantity } from '../../texts/format'
import type { SecureOrigins } from '../../network/secure-origins'
import type { Facts } from '../../contract/files/facts'
import { isSafari, type Device } from '../releases/device'

/**
 * Explains why this connection cannot install: iOS installs from HTTPS addresses only. `path` is
 * that of the install page.
 */
export function plainHttp({ offered, needsTrust }: SecureOrigins, path: string): InstallObstacle {
  const text = 'iPhones and iPads install apps from secure pages only.'
  if (offered === undefined)
    return {
      title: 'This page is not secure',
      text: `${text} Ask the person who runs this host to turn on HTTPS in its settings.`,
    }

  const action = { label: 'Open the secure page', address: offered + path }
  return {
    title: 'Open this page over HTTPS',
    text: `${text} Continue at ${offered}.`,
    action,
    needsTrust,
  }
}

/** Explains that the profile of a build does not have this device, whose owner was told of it. */
export const notYet = (owner: string): InstallObstacle => ({
  title: 'This build does not include this device yet',
  text: `${owner} has its identifier, and includes it in a later build.`,
})

/**
 * Describes in sentences which devices a build is for, and when it expires. `isListed`: this one is
 * known to be among them.
 */
export function iosLimits({ apple }: Facts, isListed = false): string[] {
  const profile = apple?.profile
  if (!profile) return []
  const until = `Works until ${formatDate(profile.expires_at)}.`
  if (profile.kind === 'enterprise')
    return [`For people of ${profile.team ?? 'its organization'} only.`, until]
  const devices = profile.devices ?? 0
  const registered = formatQuantity(devices, 'registered device')
  return [isListed ? `For ${registered}, this one included.` : `For ${registered} only.`, until]
}

/** Describes the steps for this kind of app and this browser. */
export function iosSteps({ apple }: Facts, device: Device, owner: string, isListed = false) {
  const kind = apple?.profile?.kind
  const steps = ['Tap the button, then “Install”. The app appears on the Home Screen.']

  if (!isSafari(device))
    steps.unshift('Open this page in Safari. Other browsers may not start the installation.')

  if (kind === 'enterprise')
    steps.push(
      'Before you open it: Settings › General › VPN & Device Management, choose the developer, ' +
        'then “Trust”.',
    )
  else if (!isListed)
    steps.push(`If iOS cannot install it, this device is not registered: ask ${owner} to add it.`)
  if (kind === 'development')
    steps.push(
      'If iOS asks for Developer Mode: Settings › Privacy & Security › Developer Mode, ' +
        'then restart.',
    )

  return { title: 'How to install on an iPhone or iPad', steps }
}
