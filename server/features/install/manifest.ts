import { xmlText } from '../../texts/format'
import { withoutUnseen } from '../../contract'
import { markup } from '../../http/pages/html'

/** The fields of an app in its manifest. URLs are absolute. */
export interface Manifested {
  app: string
  /** URL of a PNG. iOS scales it. */
  picture: string
  bundleId: string
  version: string
  title: string
}

/**
 * Writes the property list that `itms-services://?action=download-manifest` asks for ("Distribute
 * proprietary in-house apps", Apple Platform Deployment).
 */
export function manifestOf({ app, picture, bundleId, version, title }: Manifested): string {
  const asset = (kind: string, url: string) =>
    markup`<dict><key>kind</key><string>${kind}</string>${says('url', url)}</dict>`
  const says = (key: string, value: string) =>
    markup`<key>${key}</key><string>${inXml(value)}</string>`

  return markup`<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN"
  "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0"><dict><key>items</key><array><dict>
<key>assets</key><array>
${asset('software-package', app)}
${asset('display-image', picture)}
${asset('full-size-image', picture)}
</array>
<key>metadata</key><dict>
${says('bundle-identifier', bundleId)}
${says('bundle-version', version)}
${says('kind', 'software')}
${says('title', title)}
</dict></dict></array></dict></plist>
`.text
}

const inXml = (text: string) => xmlText(withoutUnseen(text).toWellFormed())
