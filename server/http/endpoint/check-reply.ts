import { isDeepStrictEqual } from 'node:util'
import type { z } from 'zod'

/**
 * Throws where a reply is not exactly what the contract says: a field that is missing, of another type, or not named
 * there. Tests and `npm run dev` ask this of every reply; production sends what they have found right.
 */
export function checkReply(path: string, schema: z.ZodObject, reply: object): void {
  const sent = asSent(reply)
  const described = asSent(schema.parse(reply))
  if (isDeepStrictEqual(sent, described)) return
  const words = (value: unknown) => JSON.stringify(value).slice(0, 2000)
  throw new Error(`${path} answers ${words(sent)}, and the contract says ${words(described)}`)
}

const asSent = (reply: object): unknown => JSON.parse(JSON.stringify(reply))
