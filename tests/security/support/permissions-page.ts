import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { endpointOf, type Call } from '../../support/calls'
import { actorNames, type ActorName } from '../../support/access/alices-world'

const page = readFileSync(join(import.meta.dirname, '../../../docs/permissions.md'), 'utf8')

/** The calls of both tables of docs/permissions.md, each with its row. */
const [privateRows, publicRows] = page.split('\n## With public items\n').map((part) => {
  const rows = part.split('\n').filter((line) => line.startsWith('| `'))
  return new Map(rows.map((row) => [row.split('`')[1] as Call, row]))
}) as [Map<Call, string>, Map<Call, string>]

/** The calls that the page lists. */
export const listedCalls = [...privateRows.keys()]

/** The row of a call, as the page has it. */
export const listedRow = (call: Call, isPublic: boolean): string | undefined =>
  (isPublic ? publicRows.get(call) : undefined) ?? privateRows.get(call)

/** The row of a call with these replies. */
export function rowOf(call: Call, statuses: Record<ActorName, number>): string {
  const { method, path } = endpointOf(call)
  return `| \`${call}\` | \`${method} ${path}\` | ${actorNames.map((name) => statuses[name]).join(' | ')} |`
}

/** The status that the page lists for a call with private items. */
export const listedStatus = (call: Call, actor: ActorName): number =>
  Number(privateRows.get(call)?.split(' | ')[actorNames.indexOf(actor) + 2]?.replace(' |', ''))
