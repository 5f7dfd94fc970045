import { createHmac, randomBytes } from 'node:crypto'

const PREFIX = 'whsec_'
/** Standard Webhooks asks for 24 to 64. */
const SECRET_BYTES = 32

/** A new secret to sign with. */
export const newSecret = (): string => PREFIX + randomBytes(SECRET_BYTES).toString('base64')

interface Signed {
  messageId: string
  /** Seconds since 1970. */
  timestamp: number
  body: string
}

/**
 * The headers of the Standard Webhooks specification (standardwebhooks.com): one signature for each
 * secret.
 */
export function signedHeaders(secrets: readonly string[], { messageId, timestamp, body }: Signed) {
  const sign = (secret: string) => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
    return `v1,${createHmac('sha256', key).update(`${messageId}.${timestamp}.${body}`).digest('base64')}`
  }
  return {
    'webhook-id': messageId,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': secrets.map(sign).join(' '),
  }
}
