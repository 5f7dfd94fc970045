import { gunzipSync } from 'node:zlib'

/** The control file of a Debian package. */
export const debianControl = `Package: rocket
Version: 1:1.4.2-1
Architecture: arm64
Maintainer: Rocket Inc. <a@example.org>
Description: Launches things
 Architecture: none
`

/** `rpmbuild -bb --target noarch`: rocket 1.4.2, release 3, epoch 1, of Rocket Inc. */
export const rocketRpm = gunzipSync(
  Buffer.from(
    'H4sIAAAAAAACA+2YzYscRRjGq3cmcZV8rGQhm4BxIgZ2hel0fcx0d9BoiEgWYlyWCAoKqequ2m0yOzNMz8quesghpxWWQDx48mJuQUEUcs4l' +
      'f0JAvHhQyJrNh6yGEIiT6qlnsrg37/1ATdWv3rfeqmqmLs+96/d/rRCrQa+TXNT9Oj1BfeGzOif/Xx7ZtXNq/fs7HoYvEDLxs+1PYnzN9hN2' +
      '0V7b735egXgvg2ccV+7YvmpbC7zp1pOuW195gPglxB8iftmGa0ZyRZupETzkyoiEShlxLYJUR4oxzhOZaBXFIaFaU6qoVJLLRDKhqOEsaDIq' +
      'BQ2pTCKRRkqrOKDCBFI1TGiETtOAxjoKm001PH519q3DP64fOvjPT/vPPfl7/YvvbtjJL0mpUqVKlSpVqlSpUqVKlSpVqhQ8kcFgcIUMPY3/' +
      '+CavEeJt2P5tMvQ1vF+Qk9o2jpyRT1L4JmPgDfCL4D/B+8F3ifNNJsm2r1LkToHvgafB95H/JvgB6r0D/gvxs+AtxOfAj8CfgB+j/gXwU8RH' +
      'Ps+/4J7j6iR4FXwQ978CnsL+39hWscNDiF8DHwZvgaddPQ/fp/qRW+9NgD92+R6+T1Uh/wg4BR8Da/AbYAM+Dm6BqeMDV7HfGfAtxPH9DvyO' +
      '/efBfyD/a/AG4sV9vdPE+Xdk6N6RkXvnnZXL7WRR57X+YtZeyMkO9ouki2O3P211Etla7OR9LJwfVqvNthOfvD97nnzYzrs6yUymU9LK2ssr' +
      'pN2RvWSRjGxDZxr6eS/xe92l0WmKg740ana+lanp052lbk/nuU7fy1r6nFzS+QxBrJh5N1vQeX97bk6utjpymJyfkZ/puZ422coM4X7gizol' +
      'wm/6wbB3vzTyg+IK49tWZv0DVqsvkKSbdcjC51mXxDh+PdUqk+26u5LT+HLf1CMiDY81TWgsjQgjqU0oA650HGkj4zRWUjIWGRWbmGseCZY2' +
      '01BRIaloNqRoxK4W42kgGFPCaGnTw5DqKGShoErxMAjjQPEkDRo80tIo0aSMcx2xQEVCNULJiv+Ue/iDwdPfiof/6lfuzY9VeGALBKK2b+L6' +
      'vldevzl19NT6tyd/OLW2trbHPsnbG5uNwnl8BpbfN1jhFQAA',
    'base64',
  ),
)

/** An ar archive (ar(5)). */
export function anAr(members: Readonly<Record<string, Buffer>>): Buffer {
  const parts = Object.entries(members).flatMap(([name, bytes]) => [
    Buffer.from(
      `${name.padEnd(16)}0           0     0     100644  ${String(bytes.length).padEnd(10)}\`\n`,
    ),
    bytes,
    Buffer.alloc(bytes.length % 2, '\n'),
  ])
  return Buffer.concat([Buffer.from('!<arch>\n'), ...parts])
}

/** A tar with one file, of which it may say another size. */
export function aTar(name: string, bytes: Buffer, size = bytes.length): Buffer {
  const header = Buffer.alloc(512)
  header.write(name)
  header.write(size.toString(8).padStart(11, '0'), 124)
  header.write('        0', 148)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0`, 148)
  return Buffer.concat([header, bytes, Buffer.alloc(1024 + ((512 - (bytes.length % 512)) % 512))])
}

/** A Debian package with this control.tar. */
export const aDeb = (extension: string, control: Buffer, name = 'control.tar') =>
  anAr({
    'debian-binary': Buffer.from('2.0\n'),
    [`${name}${extension}`]: control,
    'data.tar.xz': Buffer.alloc(99),
  })

/** An RPM package (rpm.org, "Package format") whose header has these lists of texts or numbers. */
export function rpmOf(tags: Readonly<Record<number, readonly (string | number)[]>>): Buffer {
  const [entries, values]: [Buffer[], Buffer[]] = [[], []]
  let at = 0
  for (const [tag, list] of Object.entries(tags)) {
    const areNumbers = typeof list[0] === 'number'
    const padding = areNumbers ? (4 - (at % 4)) % 4 : 0
    const bytes = Buffer.concat([
      Buffer.alloc(padding),
      ...list.map((it) => (typeof it === 'number' ? int32(it) : Buffer.from(`${it}\0`))),
    ])
    entries.push(...[Number(tag), areNumbers ? 4 : 8, at + padding, list.length].map(int32))
    values.push(bytes)
    at += bytes.length
  }

  const header = (index: readonly Buffer[], data: readonly Buffer[]) => {
    const length = Buffer.concat(data).length
    return [int32(0x8eade801), int32(0), int32(index.length / 4), int32(length), ...index, ...data]
  }
  const lead = Buffer.concat([int32(0xedabeedb), Buffer.from([3]), Buffer.alloc(91)])
  return Buffer.concat([lead, ...header([], []), ...header(entries, values)])
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
