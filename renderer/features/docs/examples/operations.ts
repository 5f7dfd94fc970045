import {
  api,
  errorStatus,
  travelsInBody,
  type Endpoint,
  type ErrorCode,
} from '../../../../server/contract'
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

export const groups = [...new Set([...Object.keys(groupTitles), ...Object.keys(api)])].flatMap(
  groupNamed,
)

function groupNamed(group: string) {
  const own = operations.filter((operation) => operation.group === group)
  return own.length === 0
    ? []
    : [{ anchor: kebab(group), title: groupTitles[group] ?? group, operations: own }]
}

/** Error codes of this call, without those that every call can return. */
export function errorsOf({ endpoint }: Operation): ErrorCode[] {
  const { access, input, errors } = endpoint
  const needsAccount: ErrorCode[] = access === 'anyone' ? [] : ['sign_in_required']
  const checksInput: ErrorCode[] = Object.keys(input.shape).length > 0 ? ['invalid_input'] : []
  return [...new Set([...checksInput, ...needsAccount, ...errors])].sort(
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
