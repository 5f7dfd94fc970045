import { createHash, timingSafeEqual } from 'node:crypto'

/** Compares in a time that tells nothing of the secret. */
export function isSameSecret(given: string, secret: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(secret))
}
