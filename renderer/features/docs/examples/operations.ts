import {
  api,
  errorStatus,
  travelsInBody,
  type Endpoint,
  type ErrorCode,
} from '../../../../server/contract'
import { paths } from '../../../paths'
import { groupTitles } from '../texts'

export interface Operation {
  anchor: string
  group: Group
  endpoint: Endpoint
}
export type Group = keyof typeof api

export const operations: readonly Operation[] = Object.entries(api).flatMap(([group, endpoints]) =>
  Object.entries<Endpoint>(endpoints).map(([action, endpoint]) => ({
    anchor: `${kebab(group)}-${kebab(action)}`,
    group: group as Group,
    endpoint,
  })),
)

/** The calls about one thing, on one page. */
export interface CallGroup {
  anchor: string
  title: string
  operations: readonly Operation[]
}

export const groups: readonly CallGroup[] = [
  ...new Set([...Object.keys(groupTitles), ...Object.keys(api)]),
].flatMap(groupNamed)

function groupNamed(group: string): CallGroup[] {
  const own = operations.filter((operation) => operation.group === group)
  return own.length === 0
    ? []
    : [{ anchor: kebab(group), title: groupTitles[group] ?? group, operations: own }]
}

/** Throws if the contract does not have the call. */
export function operationOf(endpoint: Endpoint): Operation {
  const found = operations.find((operation) => operation.endpoint === endpoint)
  if (!found) throw new Error(`There is no call ${endpoint.path}`)
  return found
}

/** The address of a call on the page of its group. */
export const callPath = ({ anchor, group }: Operation): string =>
  `${paths.docsGroup(kebab(group))}#${anchor}`

/** Error codes of this call, without those that every call can return. */
export function errorsOf({ endpoint }: Operation): ErrorCode[] {
  const { access, asksAgain, input, errors } = endpoint
  const needsAccount: ErrorCode[] = access === 'anyone' ? [] : ['sign_in_required']
  const checksInput: ErrorCode[] = Object.keys(input.shape).length > 0 ? ['invalid_input'] : []
  const needsProof: ErrorCode[] = asksAgain ? ['proof_needed'] : []
  return [...new Set([...checksInput, ...needsAccount, ...needsProof, ...errors])].sort(
    (a, b) => errorStatus[a] - errorStatus[b],
  )
}

export function locateParameter(
  { endpoint }: Operation,
  name: string,
): 'path' | 'query' | 'form' | 'body' | 'header' {
  if (endpoint.path.split('/').includes(`:${name}`)) return 'path'
  if (!travelsInBody(endpoint)) return 'query'
  return endpoint.body === 'multipart' ? 'form' : 'body'
}

function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}
