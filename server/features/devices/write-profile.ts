import { sha256Of } from '../../core/sha256'
import { withoutUnseen } from '../../contract'
import { markup } from '../../http/pages/html'
import { xmlText } from '../../texts/format'

/** Where a device sends its answer, and what its person reads. */
interface ProfileFields {
  /** The whole address. */
  url: string
  /** Comes back in the answer. */
  challenge: string
  projectId: string
  title: string
  owner: string
}

/**
 * Writes a profile that asks a device for its identifier and model ("Over-the-Air Profile Delivery
 * and Configuration", Apple: payload `Profile Service`). The device sends them once, and installs
 * nothing.
 */
export function writeProfile({ url, challenge, projectId, title, owner }: ProfileFields): string {
  const say = (key: string, value: string) =>
    markup`<key>${key}</key><string>${toXml(value)}</string>`
  const about =
    `Sends the identifier and the model of this device to ${owner}, once, ` +
    `to add it to test builds of ${title}. Nothing is installed.`

  return markup`<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN"
  "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0"><dict>
<key>PayloadContent</key><dict>
${say('URL', url)}
<key>DeviceAttributes</key><array><string>UDID</string><string>PRODUCT</string></array>
${say('Challenge', challenge)}
</dict>
${say('PayloadType', 'Profile Service')}
<key>PayloadVersion</key><integer>1</integer>
${say('PayloadIdentifier', `slipway.device.${projectId}`)}
${say('PayloadUUID', toUuid(`${projectId} ${url}`))}
${say('PayloadOrganization', owner)}
${say('PayloadDisplayName', `Test builds of ${title}`)}
${say('PayloadDescription', about)}
</dict></plist>
`.text
}

const toXml = (text: string) => xmlText(withoutUnseen(text).toWellFormed())

/** The same one for the same link: the device replaces a profile that waits in its settings. */
const toUuid = (text: string) =>
  sha256Of(text, 'hex')
    .slice(0, 32)
    .replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-8$3-8$4-$5')
    .toUpperCase()
