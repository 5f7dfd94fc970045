import type { IncomingHttpHeaders } from 'node:http'
import { isIP } from 'node:net'
import { isLocal } from '../../core/net/ip-address'
import { preconditions } from '../../http/send/preconditions'
import type { ByteRange } from '../../core/byte-source'
import { parseRanges } from '../../http/send/range'
import type { FileRecord } from '../../data/records/file-records'

/** A request for the bytes of a file. */
export interface DownloadRequest {
  method: string
  headers: IncomingHttpHeaders
  /** `from` in the query. */
  from?: unknown
  /** IP address of the client. */
  address: string
  atWindow: boolean
  isSignedIn: boolean
}

/** A complete public copy of a file in the bucket. */
export interface Copy {
  /** The ETag that the bucket sends, in quotes. */
  etag: string
  /** Whether the bucket answers clients now. */
  isWell: boolean
}

type CopiedFile = Pick<FileRecord, 'isPublic' | 'size' | 'sha256' | 'uploadedAt'>

/**
 * Returns the byte range that the bucket would send, or undefined if the host must answer. The
 * client repeats its headers at the bucket, so a redirect is safe only if the bucket reads each
 * header in the same way and may see it.
 */
export function mayRedirect(
  request: DownloadRequest,
  file: CopiedFile,
  copy: Copy,
): ByteRange | undefined {
  const { method, headers, from } = request
  if (method !== 'GET' || from === 'host' || !isOutside(request) || isOfPage(headers))
    return undefined

  if (!copy.isWell || !file.isPublic) return undefined
  if (carriesSecret(request)) return undefined
  if (wantsDigest(headers) || !conditionsHold(headers, file, copy)) return undefined

  return rangeAsked(headers.range, file.size)
}

/**
 * Whether the client would send credentials to the bucket: curl and fetch repeat an API key at
 * another origin, and curl a cookie from its command line. A bucket also rejects two credentials.
 * Browsers do not send cookies to another origin.
 */
const carriesSecret = ({ headers, isSignedIn }: DownloadRequest) =>
  headers['x-api-key'] !== undefined ||
  headers.authorization !== undefined ||
  (isSignedIn && headers['sec-fetch-mode'] !== 'navigate')

/** Whether the client is outside the network. Clients at home are faster from the host. */
export const isOutside = ({
  address,
  atWindow,
}: Pick<DownloadRequest, 'address' | 'atWindow'>): boolean =>
  !atWindow && isIP(address) !== 0 && !isLocal(address)

/**
 * Returns the validator that the request uses, in quotes. A client that began at the bucket uses
 * the bucket's ETag, and must see the same one to resume.
 */
export function etagFor(
  headers: IncomingHttpHeaders,
  { sha256 }: { sha256: string },
  copy: Copy,
): string {
  const validators = [headers['if-range'], headers['if-match'], headers['if-none-match']]
  return validators.some((header) => String(header).includes(copy.etag)) ? copy.etag : `"${sha256}"`
}

/**
 * Whether a page loads the file (Fetch Metadata): our pages may load from this host only. Programs
 * do not count: Node's fetch sends a mode but no site, and Electron's sends `none`.
 */
const isOfPage = ({
  'sec-fetch-mode': mode,
  'sec-fetch-site': site = 'none',
}: IncomingHttpHeaders) => site !== 'none' && mode !== 'navigate'

const wantsDigest = (headers: IncomingHttpHeaders) =>
  headers['want-repr-digest'] !== undefined || headers['want-content-digest'] !== undefined

/** Whether all conditions hold, both here and at the bucket. */
function conditionsHold(headers: IncomingHttpHeaders, file: CopiedFile, copy: Copy): boolean {
  const etag = etagFor(headers, file, copy)

  const modified = Math.floor(Date.parse(file.uploadedAt) / 1000)
  if (preconditions(headers, { etag, modified }) !== 'send') return false

  const ifRange = headers['if-range']
  // The bucket only knows its own ETag. A store that ignores If-Range (Ceph) would send a range of
  // another file.
  if (ifRange !== undefined && ifRange !== copy.etag) return false

  if (headers['if-match'] !== undefined) return etag === copy.etag
  // The bucket compares with the date of its copy.
  return headers['if-unmodified-since'] === undefined
}

/** Parses a single range that every bucket reads in the same way. */
function rangeAsked(header: string | undefined, size: number): ByteRange | undefined {
  if (header === undefined) return { start: 0, end: size - 1 }
  const ranges = /^bytes=(\d+-\d*|-\d+)$/.test(header) ? parseRanges(header, size) : undefined
  return Array.isArray(ranges) ? ranges[0] : undefined
}
