import { hash } from 'node:crypto'

/** SHA-256 of a text (UTF-8) or of bytes. Stored values depend on the encoding of each call. */
export const sha256Of = (
  content: string | Uint8Array,
  encoding: 'hex' | 'base64' | 'base64url',
): string => hash('sha256', content, encoding)
