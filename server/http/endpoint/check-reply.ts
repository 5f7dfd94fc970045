import { isDeepStrictEqual } from 'node:util'
import type { z } from 'zod'

/**
 * Throws when a reply differs from the contract: missing, extra or mistyped fields. For tests and
 * `npm run dev` only.
 */
export function checkReply(path: string, schema: z.ZodObject, reply: object): void {
  const sent = asSent(reply)
  const described = asSent(schema.parse(reply))
  if (isDeepStrictEqual(sent, described)) return
  const words = (value: unknown) => JSON.stringify(value).slice(0, 2000)
  throw new Error(`${path} answers ${words(sent)}, and the contract says ${words(described)}`)
}

const asSent = (reply: object): unknown => JSON.parse(JSON.stringify(reply))
