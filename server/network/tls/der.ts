/** The part of DER (ITU-T X.690) that certificates are written in. */

/** One value: its tag, its length in bytes and what it holds. */
function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(parts)
  return Buffer.concat([Buffer.from([tag, ...lengthOf(body.length)]), body])
}

export const sequence = (...parts: readonly Uint8Array[]): Buffer => der(0x30, ...parts)
export const set = (...parts: readonly Uint8Array[]): Buffer => der(0x31, ...parts)
export const utf8 = (text: string): Buffer => der(0x0c, Buffer.from(text))
export const octets = (bytes: Uint8Array): Buffer => der(0x04, bytes)
export const yes = (): Buffer => der(0x01, Buffer.from([0xff]))

/** A number that is not negative, highest byte first. */
export const integer = (bytes: Uint8Array): Buffer =>
  der(0x02, (bytes[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.alloc(1), bytes]) : bytes)

/** `unused` bits at the end do not count. */
export const bits = (bytes: Uint8Array, unused = 0): Buffer => der(0x03, Buffer.from([unused]), bytes)

/** Tag `[number]`, around other values. */
export const tagged = (number: number, ...parts: readonly Uint8Array[]): Buffer => der(0xa0 + number, ...parts)

/** Tag `[number]` in the place of the tag of a plain value. */
export const plainTagged = (number: number, bytes: Uint8Array): Buffer => der(0x80 + number, bytes)

/** An object identifier such as `2.5.29.17`. */
export function oid(name: string): Buffer {
  const [first = 0, second = 0, ...rest] = name.split('.').map(Number)
  return der(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]))
}

/** To the second; two digits of the year until 2049, as RFC 5280 §4.1.2.5 wants. */
export function time(date: Date): Buffer {
  const digits = `${date.toISOString().slice(0, 19).replace(/\D/g, '')}Z`
  return date.getUTCFullYear() < 2050 ? der(0x17, Buffer.from(digits.slice(2))) : der(0x18, Buffer.from(digits))
}

function lengthOf(length: number): number[] {
  if (length < 0x80) return [length]
  const bytes: number[] = []
  for (let left = length; left > 0; left >>>= 8) bytes.unshift(left & 0xff)
  return [0x80 + bytes.length, ...bytes]
}

function base128(number: number): number[] {
  const bytes = [number & 0x7f]
  for (let left = number >>> 7; left > 0; left >>>= 7) bytes.unshift((left & 0x7f) | 0x80)
  return bytes
}
