import { sha256Of } from '../../core/sha256'

/** Allows our own scripts, and these inline scripts by hash (CSP Level 3 §8.4). */
export const pagePolicy = (inlineScripts: readonly string[] = []): string =>
  [
    "default-src 'self'",
    ["script-src 'self'", ...inlineScripts.map(hashSource)].join(' '),
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "form-action 'self'",
  ].join('; ')

const hashSource = (script: string) => `'sha256-${sha256Of(script, 'base64')}'`
