/** A permission of an Android app: its full name, and words for people. */
interface Permission {
  name: string
  words: string
}

export interface PermissionGroup {
  title: string
  permissions: Permission[]
}

const ANDROID = 'android.permission.'
const OTHERS = 'Other apps and services'

/**
 * Groups by the name after `android.permission.`; the first match applies. Private data first
 * (Android docs, Manifest.permission).
 */
const groups: readonly (readonly [title: string, names: RegExp])[] = [
  [
    'Background and notifications',
    /^(FOREGROUND_SERVICE|POST_NOTIF|WAKE_LOCK|RECEIVE_BOOT|VIBRATE)|ALARM|BATTERY/,
  ],
  ['Location', /LOCATION/],
  ['Camera and microphone', /CAMERA|RECORD_AUDIO/],
  ['Contacts and calendar', /CONTACTS|CALENDAR|ACCOUNTS/],
  ['Phone and messages', /PHONE|CALL|SMS|MMS|WAP_PUSH|VOICEMAIL/],
  ['Files and media', /STORAGE|MEDIA|DOCUMENTS/],
  ['Health and sensors', /^health\.|SENSOR|ACTIVITY_RECOGNITION/],
  ['Network and nearby devices', /INTERNET|NETWORK|WIFI|BLUETOOTH|NFC|NEARBY|UWB/],
]
const REST = 'System'
const order = [...groups.slice(1).map(([title]) => title), groups[0]?.[0], REST, OTHERS]

/** Groups the permissions of an Android app by topic, the most private first. */
export function permissionGroups(names: readonly string[]): PermissionGroup[] {
  const namesByTitle = Map.groupBy(names, titleOf)
  return [...namesByTitle]
    .map(([title, those]) => ({
      title,
      permissions: those.map((name) => ({ name, words: wordsOf(name) })),
    }))
    .sort((a, b) => order.indexOf(a.title) - order.indexOf(b.title))
}

function titleOf(name: string): string {
  if (!name.startsWith(ANDROID)) return OTHERS
  const own = name.slice(ANDROID.length)
  return groups.find(([, names]) => names.test(own))?.[0] ?? REST
}

/** Display spelling of these words. */
const spelled = new Map([
  ['sms', 'SMS'],
  ['mms', 'MMS'],
  ['nfc', 'NFC'],
  ['uwb', 'UWB'],
  ['wifi', 'Wi-Fi'],
  ['internet', 'internet'],
  ['bluetooth', 'Bluetooth'],
])

/** `Read external storage`, from `android.permission.READ_EXTERNAL_STORAGE`. Other names stay. */
function wordsOf(name: string): string {
  if (!name.startsWith(ANDROID)) return name
  const words = name
    .slice(ANDROID.length)
    .split(/[_.]/)
    .map((word) => spelled.get(word.toLowerCase()) ?? word.toLowerCase())
    .join(' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
