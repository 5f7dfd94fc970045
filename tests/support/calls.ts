import { api, type Api, type Endpoint } from '../../server/contract'

/** The name of an endpoint of the contract: `files.upload`. */
export type Call = { [F in keyof Api]: `${F}.${Extract<keyof Api[F], string>}` }[keyof Api]

const endpoints = Object.entries(api as Record<string, Record<string, Endpoint>>).flatMap(
  ([feature, actions]) =>
    Object.entries(actions).map(
      ([action, endpoint]) => [`${feature}.${action}` as Call, endpoint] as const,
    ),
)
const byCall = new Map(endpoints)

/** All calls of the contract, in its order. */
export const calls: readonly Call[] = endpoints.map(([call]) => call)

export const endpointOf = (call: Call): Endpoint => byCall.get(call)!
