import type { IncomingHttpHeaders } from 'node:http'

/**
 * The digests of an answer (RFC 9530). `Repr-Digest` is that of the whole file, whichever part of it is sent;
 * `Content-Digest` that of the bytes in this very answer, which is known where they are the whole file. SHA-256 is what
 * we have: who wants others only gets it all the same (§4 leaves that to us), and who weighs it 0 gets none.
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

/** Whether a dictionary of weights (RFC 8941 §3.2, the last one counts) refuses SHA-256. */
function wants(header: string | string[] | undefined): boolean {
  const members = String(header ?? '').split(',')
  const weight = members.map((member) => /^\s*sha-256\s*=\s*(\d+)\s*(?:;.*)?$/.exec(member)?.[1]).findLast(Boolean)
  return weight === undefined || Number(weight) > 0
}
