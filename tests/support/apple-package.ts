import { crc32, deflateRawSync } from 'node:zlib'

/** An Info.plist with the common properties, some of them also where they mean something else. */
export const INFO_XML = `<?xml version="1.0" encoding="UTF-8"?>
<plist version="1.0">
<!-- <key>CFBundleVersion</key><string>7</string> -->
<dict>
  <key>CFBundleIdentifier</key><string>com.acme.rocket</string>
  <key>CFBundleDisplayName</key><string>Räket &amp; Co</string>
  <key>CFBundleShortVersionString</key><string>2.4.1</string>
  <key>CFBundleVersion</key><string>812</string>
  <key>CFBundleExecutable</key><string>Rocket</string>
  <key>MinimumOSVersion</key><string>15.0</string>
  <key>UIDeviceFamily</key><array><integer>1</integer><integer>2</integer></array>
  <key>CFBundleIcons</key>
  <dict><key>CFBundlePrimaryIcon</key>
    <dict><key>CFBundleIconFiles</key><array><string>AppIcon60x60</string></array></dict>
  </dict>
  <key>Other</key><array><dict><key>CFBundleVersion</key><string>9</string></dict></array>
</dict>
</plist>`

/** The same by libplist: `plistutil -f bin`. */
export const INFO_BINARY = Buffer.from(
  'YnBsaXN0MDDZAQMFBwkLDREYAgQGCAoMDhIZXxASQ0ZCdW5kbGVJZGVudGlmaWVyXxAPY29tLmFjbWUucm9ja2V0XxATQ0ZCdW5kbGVEaXNwbG' +
    'F5TmFtZWoAUgDkAGsAZQB0ACAAJgAgAEMAb18QGkNGQnVuZGxlU2hvcnRWZXJzaW9uU3RyaW5nVTIuNC4xXxAPQ0ZCdW5kbGVWZXJzaW9uUzgx' +
    'Ml8QEkNGQnVuZGxlRXhlY3V0YWJsZVZSb2NrZXRfEBBNaW5pbXVtT1NWZXJzaW9uVDE1LjBeVUlEZXZpY2VGYW1pbHmiDxAQARACXUNGQnVuZG' +
    'xlSWNvbnPRExRfEBNDRkJ1bmRsZVByaW1hcnlJY29u0RUWXxARQ0ZCdW5kbGVJY29uRmlsZXOhF1xBcHBJY29uNjB4NjBVT3RoZXKhGtEHG1E5' +
    'AAgAGwAwAEIAWABtAIoAkACiAKYAuwDCANUA2gDpAOwA7gDwAP4BAQEXARoBLgEwAT0BQwFFAUgAAAAAAAACAQAAAAAAAAAcAAAAAAAAAAAAAA' +
    'AAAAABSg==',
  'base64',
)

/** A profile's property list; `says` replaces the list of devices. */
export const aProfile = (says: string, debuggable = false): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<plist version="1.0"><dict><key>TeamName</key><string>Acme Inc.</string>` +
  `<key>ExpirationDate</key><date>2027-03-04T05:06:07Z</date>${says}` +
  `<key>Entitlements</key><dict><key>get-task-allow</key><${debuggable}/></dict></dict></plist>`

/**
 * A PNG as Xcode writes it into iOS apps (`CgBI`). `pixels` are red, green, blue and alpha, which
 * must divide 255. Its rows use each filter in turn.
 */
export function aCrushedPng(width: number, height: number, pixels: Buffer): Buffer {
  const bgra = Buffer.alloc(pixels.length)
  for (let at = 0; at < pixels.length; at += 4) {
    const [red = 0, green = 0, blue = 0, alpha = 0] = pixels.subarray(at, at + 4)
    bgra.set([blue, green, red].map((color) => Math.round((color * alpha) / 255)).concat(alpha), at)
  }
  const rows = Array.from({ length: height }, (_, row) => filtered(bgra, row, 4 * width))
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 6, 0, 0, 0], 8)
  const chunks = [
    chunk('CgBI', Buffer.from('50002002', 'hex')),
    chunk('IHDR', header),
    chunk('IDAT', deflateRawSync(Buffer.concat(rows))),
    chunk('IEND', Buffer.alloc(0)),
  ]
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...chunks])
}

/** A row after its filter: the row's number modulo five. */
function filtered(pixels: Buffer, row: number, rowBytes: number): Buffer {
  const at = (line: number, index: number) =>
    line < 0 || index < 0 ? 0 : (pixels[line * rowBytes + index] ?? 0)
  const filter = row % 5
  const bytes = Array.from({ length: rowBytes }, (_, index) => {
    const left = at(row, index - 4)
    const up = at(row - 1, index)
    const corner = at(row - 1, index - 4)
    const nearest = [left, up, corner].toSorted(
      (a, b) => Math.abs(left + up - corner - a) - Math.abs(left + up - corner - b),
    )
    const predicted = [0, left, up, Math.floor((left + up) / 2), nearest[0] ?? 0][filter] ?? 0
    return (at(row, index) - predicted) & 0xff
  })
  return Buffer.from([filter, ...bytes])
}

function chunk(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), content])
  return Buffer.concat([u32be(content.length), body, u32be(crc32(body))])
}

/** An icon file of macOS. */
export function anIconFile(members: Readonly<Record<string, Buffer>>): Buffer {
  const all = Object.entries(members).flatMap(([type, bytes]) => [
    Buffer.from(type),
    u32be(8 + bytes.length),
    bytes,
  ])
  const body = Buffer.concat(all)
  return Buffer.concat([Buffer.from('icns'), u32be(8 + body.length), body])
}

/** The start of a program for several processors. */
export const aFatProgram = (...processors: number[]): Buffer =>
  Buffer.concat([
    u32be(0xcafebabe, processors.length, ...processors.flatMap((it) => [it, 0, 0, 0, 0])),
    Buffer.alloc(4096),
  ])

function u32be(...values: number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length)
  values.forEach((value, index) => bytes.writeUInt32BE(value, 4 * index))
  return bytes
}
