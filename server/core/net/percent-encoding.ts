/**
 * Decodes percent-encoded UTF-8 (RFC 3986 §2.1), such as a part of a path; undefined if it is
 * malformed.
 */
export function decodePart(part: string): string | undefined {
  try {
    return decodeURIComponent(part)
  } catch {
    return undefined
  }
}
