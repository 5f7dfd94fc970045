import type { InstallObstacle } from '../../texts/install-view'
import { formatDate } from '../../texts/format'
import type { FullFacts } from '../files/package-facts'
import { isIphone, type System } from './device'

/**
 * Explains why iOS would not install an app from a page, even over HTTPS. Returns undefined if
 * nothing prevents it. `now`: UTC ISO 8601.
 */
export function iosObstacle(
  { facts, reason }: FullFacts,
  device: System,
  owner: string,
  now: string,
) {
  if (facts?.app_id == null) {
    const why = reason ?? 'It has no bundle identifier.'
    return stop(
      'The host cannot read this build',
      `${why} Ask ${owner} for another build, or try again in a minute.`,
    )
  }

  const { profile = null, devices = [] } = facts.apple ?? {}
  if (!profile) {
    const text =
      'It contains no provisioning profile, so iOS does not install it. ' +
      `Ask ${owner} for a signed build.`
    return stop('This build is not signed for devices', text)
  }
  if (profile.kind === 'app-store') {
    const text =
      'iOS installs it from the App Store and TestFlight only. ' +
      `Ask ${owner} for an invitation to TestFlight, or for an ad hoc build.`
    return stop('This build is for App Store Connect and TestFlight only', text)
  }

  if (profile.expires_at <= now)
    return stop(
      `This build expired on ${formatDate(profile.expires_at)}`,
      `Ask ${owner} for a new build.`,
    )

  const runsHere = devices.some(
    (name) => name === 'iPhone' || (name === 'iPad' && !isIphone(device)),
  )

  if (devices.length > 0 && !runsHere)
    return stop(`This app is for ${devices.join(' and ')}`, 'It does not run on this device.')
  return undefined
}

const stop = (title: string, text: string): InstallObstacle => ({ title, text })
