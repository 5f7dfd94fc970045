import { api, type Api } from './index'
import type { Endpoint } from './endpoint'

/** The part of an endpoint that sending a call needs. */
export type Call = Pick<Endpoint, 'method' | 'path' | 'body'>

const mapValues = <From extends object, To>(from: From, map: (value: From[keyof From]) => To) =>
  Object.fromEntries(
    Object.entries(from).map(([name, value]) => [name, map(value as From[keyof From])]),
  )

/**
 * The method, path and body form of each call, without schemas. The page build replaces this module
 * by its value, so that pages start without zod (scripts/build/values.ts).
 */
export const calls = mapValues(api, (feature) =>
  mapValues(feature, ({ method, path, body }: Endpoint): Call => ({
    method,
    path,
    ...(body && { body }),
  })),
) as { readonly [Feature in keyof Api]: { readonly [Action in keyof Api[Feature]]: Call } }
