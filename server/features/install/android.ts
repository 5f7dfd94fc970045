import type { InstallObstacle } from '../../texts/install-view'
import { playProtectMayWarn } from '../../texts/platform-checks'
import { androidBrowser, type Device } from '../releases/device'

interface App {
  /** The application id. Obtainium makes one up if there is none. */
  id: string
  name: string
  author: string
  /** The absolute URL of a page with links to `/releases/{version}/{filename}`. */
  page: string
  filename: string
  version: string
  /** Whether the release has more APKs, for other processors. */
  hasOthers: boolean
}

/**
 * Returns a link that adds an app to Obtainium, which then updates it from the APK links of the
 * page. Source: Obtainium Wiki, "Deep Links". `obtainium://app/` takes the JSON of an app; the
 * source "HTML" takes the last link that matches `customLinkFilterRegex`, sorted by number, and
 * reads the version with `versionExtractionRegEx`.
 */
export function obtainiumLink({
  id,
  name,
  author,
  page,
  filename,
  version,
  hasOthers,
}: App): string {
  const alike = filename.split(version).map(inPattern).join('[^/]+')
  const settings = {
    customLinkFilterRegex: `/releases/[^/]+/${hasOthers ? alike : '[^/]+\\.apk'}$`,
    versionExtractionRegEx: '/releases/([^/]+)/',
    matchGroupToUse: '1',
  }

  const app = {
    id,
    url: page,
    author,
    name,
    overrideSource: 'HTML',
    additionalSettings: JSON.stringify(settings),
  }

  return `obtainium://app/${encodeURIComponent(JSON.stringify(app))}`
}

const inPattern = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')

/** Describes the installation steps for this browser. */
export function androidSteps(device: Device) {
  const browser = androidBrowser(device)
  const allow = (name: string) =>
    'The first time, Android stops here: choose “Settings”, turn on “Allow from this source” ' +
    `for ${name}, and go back.`
  const last = playProtectMayWarn

  switch (browser) {
    case 'in-app': {
      const first = 'Open this page in Chrome: browsers inside other apps cannot install apps.'
      return { title: 'How to install on Android', steps: [first, 'Then tap the button there.'] }
    }
    case 'chrome': {
      const first =
        'Tap the button. If Chrome says that the file might be harmful, choose “Download anyway”.'
      const open = 'When the download is complete, tap “Open”.'
      return { title: 'How to install with Chrome', steps: [first, open, allow('Chrome'), last] }
    }
    case 'firefox': {
      const open = 'When the download is complete, tap “Open”.'
      return {
        title: 'How to install with Firefox',
        steps: ['Tap the button, then “Download”.', open, allow('Firefox'), last],
      }
    }
    case 'samsung': {
      const open =
        'When the download is complete, tap “Open”, or choose the file in My Files › Downloads.'
      const blocker = 'If Auto Blocker stops it, turn that off in Settings › Security and privacy.'
      const steps = [
        'Tap the button, then “Download”.',
        open,
        allow('Samsung Internet'),
        blocker,
        'Choose “Install”.',
      ]
      return { title: 'How to install with Samsung Internet', steps }
    }
    default: {
      const open =
        'Tap the button, and open the downloaded file from the notification or the Files app.'
      return { title: 'How to install on Android', steps: [open, allow('your browser'), last] }
    }
  }
}

export const androidUnsigned = (owner: string): InstallObstacle => ({
  title: 'This build is not signed',
  text: `Android does not install apps without a signature. Ask ${owner} for a signed build.`,
})
