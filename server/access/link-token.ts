import { randomBytes } from 'node:crypto'
import { sha256Of } from '../core/sha256'

/** A one-time link secret: 128 random bits as 22 characters of base64url. */
export const newLinkToken = (): string => randomBytes(16).toString('base64url')

/** The stored form of a link token: its SHA-256, base64url. */
export const hashOfToken = (token: string): string => sha256Of(token, 'base64url')
