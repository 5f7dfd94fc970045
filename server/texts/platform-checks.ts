import { androidVersion } from '../contract/files/android-version'
import type { Facts } from '../contract/files/facts'
import type { PlatformCheck } from '../contract/files/platform-checks'
import { formatDate, formatQuantity, joinWords } from './format'

/*
 * What other companies' systems ask before they install or open a build. Each sentence has its
 * condition in the facts of the package, and the day on which it was last compared with what the
 * company publishes. Companies change their rules: write "may" where their pages contradict each
 * other, and set the day when you compare again.
 */

/** Without facts of the package: what may happen on Windows. */
export const windowsMayProtect =
  'If Windows says that it protected your PC, choose “More info”, compare the name, ' +
  'and choose “Run anyway”.'

/** Without facts of the package: what may happen on a Mac. */
export const macMayRefuse =
  'If macOS will not open the app, go to System Settings › Privacy & Security ' +
  'and choose “Open Anyway”.'

/** For every app that comes from a page: the last step of its installation. */
export const playProtectMayWarn =
  'Choose “Install”. If Play Protect warns of an unknown app, choose “More details”, ' +
  'then “Install anyway”.'

/** The day on which the sentences were last compared with what each company publishes. */
const CHECKED = {
  google: '2026-11-28',
  apple: '2026-11-28',
  microsoft: '2026-11-28',
} as const

type Check = Omit<PlatformCheck, 'code'>
type Code = PlatformCheck['code']

/** Formats that Android installs. */
const ANDROID: readonly string[] = ['apk', 'apks', 'xapk']
const MAC: readonly string[] = ['app', 'dmg', 'pkg']
/** Android 15 refuses apps for older systems, Android 14 those below 23. */
const LEAST_TARGET_SDK = 24
const ANDROID_14_TARGET_SDK = 23

const describeCheck = (
  company: keyof typeof CHECKED,
  title: string,
  { see, then, you }: { see: string; then: string; you: string },
  values: Check['values'] = [],
): Check => ({
  title,
  visitors_see: see,
  visitors_do: then,
  you_do: you,
  values,
  as_of: CHECKED[company],
})

/**
 * Android developer verification, since September 30, 2026. Pages of Google contradict each other
 * on whether it already concerns apps that come from a website.
 */
function androidVerification({ kind, app_id, signer }: Facts): Check | null {
  if (!ANDROID.includes(kind)) return null

  const values = [
    ...(app_id === null ? [] : [{ label: 'Package name', value: app_id }]),
    ...(signer === null
      ? []
      : [{ label: 'Certificate (SHA-256)', value: colonSeparated(signer.sha256) }]),
  ]

  return describeCheck(
    'google',
    'Android developer verification',
    {
      see:
        'In Brazil, Indonesia, Singapore and Thailand, phones with Google Play may refuse apps ' +
        'whose developer is not registered with Google. Other countries follow in 2027.',
      then:
        'If your phone refuses the app, allow apps of unverified developers in its developer ' +
        'options. Android then requires a restart and a 24-hour wait. A computer can install it ' +
        'at once: adb install FILE.',
      you:
        'Register the package name and the certificate in the Android Developer Console, for ' +
        'USD 25 once, or free for up to 20 devices. Slipway cannot see whether you have.',
    },
    values,
  )
}

function androidDebugKey({ kind, signer }: Facts): Check | null {
  if (!ANDROID.includes(kind) || signer?.name !== 'Android Debug') return null

  return describeCheck('google', 'Debug key', {
    see: 'Android does not install the next version over this one if another computer built it.',
    then: 'If an update fails, uninstall the app first. Its data is lost.',
    you:
      'Sign the build with a release key of your own, and keep that key. Each computer has ' +
      'another debug key.',
  })
}

/** Android 14 and 15, "Minimum installable target API level". */
function androidTargetSdk({ kind, android }: Facts): Check | null {
  const target = android?.target_sdk ?? android?.min_sdk ?? null
  if (!ANDROID.includes(kind) || target === null || target >= LEAST_TARGET_SDK) return null

  const system = target < ANDROID_14_TARGET_SDK ? 'Android 14' : 'Android 15'
  const made = androidVersion(target) ?? 'an old Android'

  return describeCheck('google', 'Old target SDK', {
    see: `Phones with ${system} or later refuse this app, because it was made for ${made}.`,
    then: 'A computer can install it: adb install --bypass-low-target-sdk-block FILE',
    you: `Set targetSdkVersion to ${LEAST_TARGET_SDK} or higher, and build again.`,
  })
}

/** Enhanced fraud protection of Google Play Protect, in some 185 countries. */
function playProtect({ kind, android }: Facts): Check | null {
  const asked = sensitiveAccess(android)
  if (!ANDROID.includes(kind) || asked.length === 0) return null
  const what = joinWords(asked)

  return describeCheck('google', 'Google Play Protect', {
    see:
      'Google Play Protect may block this app if it comes from a browser, a chat or a file ' +
      `manager, because it can read ${what}.`,
    then:
      'If it is blocked, install it from an app store such as F-Droid, or from a computer: ' +
      'adb install FILE.',
    you:
      `Leave out the access to ${what} if the app works without it. Otherwise say on its page ` +
      'why it needs that.',
  })
}

function sensitiveAccess(android: Facts['android']): string[] {
  const readsTexts = android?.permissions.some((name) =>
    /^android\.permission\.(RECEIVE|READ)_SMS$/.test(name),
  )
  const services = android?.services ?? []

  return [
    ...(readsTexts ? ['text messages'] : []),
    ...(services.includes('notifications') ? ['notifications'] : []),
    ...(services.includes('accessibility') ? ['the screen'] : []),
  ]
}

/** Gatekeeper of macOS 15 and later, and of Homebrew, which always quarantines since 2026. */
function gatekeeper({ kind, is_stapled, is_signed }: Facts): Check | null {
  if (!MAC.includes(kind) || is_stapled !== false) return null

  const isUnsigned = is_signed === false
  const see = isUnsigned
    ? 'macOS says that it cannot check this app for malware, or that it is damaged, because ' +
      'the app is not signed.'
    : 'macOS may say that it cannot check this app for malware, because no notarization ' +
      'ticket of Apple is stapled to the file.'

  return describeCheck('apple', 'Gatekeeper', {
    see,
    then:
      'Open the app once, then go to System Settings › Privacy & Security and choose “Open ' +
      'Anyway”. If macOS calls the app damaged, there is no such button. If you trust its ' +
      'publisher, allow it in Terminal: xattr -dr com.apple.quarantine /Applications/NAME.app',
    you:
      `${isUnsigned ? 'Sign the app with a Developer ID, notarize it' : 'Notarize the app'}, and ` +
      'staple the ticket: xcrun stapler staple FILE. Homebrew no longer supports ' +
      '--no-quarantine, and its official casks must pass Gatekeeper since September 1, 2026.',
  })
}

/** SmartScreen and Smart App Control of Windows. */
function smartScreen({ kind, is_signed }: Facts): Check | null {
  if ((kind !== 'exe' && kind !== 'msi') || is_signed === null) return null

  if (is_signed)
    return describeCheck('microsoft', 'SmartScreen', {
      see: 'Windows may say that it protected your PC, until it knows this publisher.',
      then: 'Choose “More info”, compare the name of the publisher, and choose “Run anyway”.',
      you:
        'Sign each version with the same certificate, whose reputation grows with downloads. An ' +
        'EV certificate no longer skips this.',
    })

  return describeCheck('microsoft', 'SmartScreen and Smart App Control', {
    see:
      'Windows says that it protected your PC, because the program is not signed. Where Smart ' +
      'App Control is on, Windows blocks it.',
    then:
      'Choose “More info”, then “Run anyway”. Smart App Control has no such button: use another ' +
      'computer, or ask for a signed build.',
    you: 'Sign the program with Authenticode. Without a signature, each version starts as unknown.',
  })
}

function msixSignature({ kind, is_signed }: Facts): Check | null {
  if (kind !== 'msix' || is_signed !== false) return null

  return describeCheck('microsoft', 'Signature of the package', {
    see: 'Windows does not install this package, because it is not signed.',
    then: 'Ask for a signed package.',
    you: 'Sign the package with a certificate that the computers of your users trust.',
  })
}

/** Installation of an IPA outside of the App Store. */
function iosProfile({ kind, apple }: Facts): Check | null {
  const profile = apple?.profile
  if (kind !== 'ipa' || !profile) return null

  if (profile.kind === 'app-store')
    return describeCheck('apple', 'Provisioning profile', {
      see: 'iPhones and iPads do not install this build from a page.',
      then: 'Ask for an invitation to TestFlight.',
      you: 'Upload it to App Store Connect, or export an ad hoc build for this page.',
    })

  const until = formatDate(profile.expires_at)
  const whom =
    profile.devices === null
      ? `on the devices of ${profile.team ?? 'its organization'}`
      : `on ${formatQuantity(profile.devices, 'registered device')}`

  return describeCheck('apple', 'Provisioning profile', {
    see: `The app installs only ${whom}, and works until ${until}.`,
    then: 'If it does not install, ask the publisher to add your device.',
    you: 'Add new devices to the profile and export again, before you send the link.',
  })
}

/** The conditions, in the order of the list. */
const checks: Readonly<Record<Code, (facts: Facts) => Check | null>> = {
  android_verification: androidVerification,
  android_debug_key: androidDebugKey,
  android_target_sdk: androidTargetSdk,
  play_protect: playProtect,
  gatekeeper,
  smartscreen: smartScreen,
  msix_signature: msixSignature,
  ios_profile: iosProfile,
}

/** Lists what systems ask before they install a build, as far as its facts show. */
export function platformChecks(facts: Facts | null): PlatformCheck[] {
  if (facts === null) return []

  return (Object.keys(checks) as Code[]).flatMap((code) => {
    const found = checks[code](facts)
    return found ? [{ code, ...found }] : []
  })
}

/** `As of November 28, 2026` */
export const asOfWords = (day: string) => `As of ${formatDate(`${day}T12:00:00`)}`

/** What the system may ask before it opens what an update client installs, for its card. */
export const clientChecks = {
  android: () =>
    'In Brazil, Indonesia, Singapore and Thailand, phones with Google Play may refuse apps of ' +
    `developers who are not registered with Google. ${asOfWords(CHECKED.google)}.`,
  homebrew: () =>
    'macOS may refuse to open the app, because no notarization ticket is stapled to it, and ' +
    'Homebrew no longer supports `--no-quarantine`. Open the app once, then choose “Open Anyway” ' +
    `in System Settings › Privacy & Security. ${asOfWords(CHECKED.apple)}.`,
  windows: () =>
    'The program is not signed, so Windows blocks it where Smart App Control is on. ' +
    `${asOfWords(CHECKED.microsoft)}.`,
} as const

/** `A1:B2:…`, as the consoles of Google take it. */
const colonSeparated = (hex: string) => hex.toUpperCase().replaceAll(/..(?=.)/g, '$&:')
