import { createHmac, randomBytes } from 'node:crypto'

const PREFIX = 'whsec_'
/** Standard Webhooks allows 24 to 64 bytes. */
const SECRET_BYTES = 32

/** Generates a signing secret. */
export const newSecret = (): string => PREFIX + randomBytes(SECRET_BYTES).toString('base64')

interface Signed {
  messageId: string
  timestamp: number
  body: string
}

/**
 * Returns the headers of the Standard Webhooks specification (standardwebhooks.com), with one
 * signature per secret.
 */
export function signedHeaders(secrets: readonly string[], { messageId, timestamp, body }: Signed) {
  const sign = (secret: string) => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
    const content = `${messageId}.${timestamp}.${body}`
    return `v1,${createHmac('sha256', key).update(content).digest('base64')}`
  }
  return {
    'webhook-id': messageId,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': secrets.map(sign).join(' '),
  }
}
