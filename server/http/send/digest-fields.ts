import type { IncomingHttpHeaders } from 'node:http'

/**
 * Returns the digest headers (RFC 9530): `Repr-Digest` of the whole file, `Content-Digest` only for
 * a complete body. Always SHA-256 (§4 allows it), unless the client weighs it 0.
 */
export function digestFields(
  sha256: string | undefined,
  status: number,
  headers: IncomingHttpHeaders,
): Record<string, string> {
  if (sha256 === undefined) return {}
  const value = `sha-256=:${Buffer.from(sha256, 'hex').toString('base64')}:`
  return {
    ...(wants(headers['want-repr-digest']) ? { 'Repr-Digest': value } : {}),
    ...(status === 200 && wants(headers['want-content-digest']) ? { 'Content-Digest': value } : {}),
  }
}

/** Whether the preferences allow SHA-256 (RFC 8941 §3.2: the last one counts). */
function wants(header: string | string[] | undefined): boolean {
  if (header === undefined) return true
  const members = String(header).split(',')
  const weight = members
    .map((member) => /^\s*sha-256\s*=\s*(\d+)\s*(?:;.*)?$/.exec(member)?.[1])
    .findLast(Boolean)
  return weight === undefined || Number(weight) > 0
}
