import { answersTo, calls, endpointOf } from './answers'
import type { Call } from './rules'
import { actorNames } from './sample'

const INTRO = `# Permissions

\`npm run openapi\` generates this page from the policies, and \`npm run check\` fails when it is out of date.
\`tests/security/access/10-permissions.test.ts\` sends every call to a real server as every actor and compares the replies.

Each row is a call of the [contract](openapi.json), each column an actor, and each number the status of the reply. The
items belong to alice: a project, a file in a published release of it, a tester link, a post, an API key, and an item in the trash. Carol is a collaborator of
the project, and dave was removed from it. The host manages the host in the app window and has no rights to other
people's items. A session of a disabled account counts as a visitor.

- **404** is the reply for an item that the actor may not see, byte for byte as for one that does not exist. **403** is
  the reply for an item that the actor may see but not change. **401** means that signing in, or other credentials, helps.
- A revoked or expired API key, or a key of a disabled account, is refused everywhere, even on public calls, so that a CI
  job notices.
- A key without permission for a public call makes that call as a visitor.
- HEAD gets the same status as GET. Where a download gets 200, a range gets 206.
`

/** docs/permissions.md: every call with private items, then the calls that differ for public ones. */
export function permissionsPage(): string {
  const differs = (call: Call) => JSON.stringify(answersTo(call, true)) !== JSON.stringify(answersTo(call, false))
  return `${INTRO}\n## With private items\n\n${table(calls, false)}
## With public items\n\nAll other calls get the same reply as above.\n\n${table(calls.filter(differs), true)}`
}

function table(rows: readonly Call[], isPublic: boolean): string {
  const head = ['call', 'address', ...actorNames]
  const line = (cells: string[]) => `| ${cells.join(' | ')} |\n`
  const rule = head.map((_, index) => (index < 2 ? '---' : '--:'))
  return [line(head), line(rule), ...rows.map((call) => line(rowOf(call, isPublic)))].join('')
}

function rowOf(call: Call, isPublic: boolean): string[] {
  const { method, path } = endpointOf(call)
  const answers = answersTo(call, isPublic)
  return [`\`${call}\``, `\`${method} ${path}\``, ...actorNames.map((name) => String(answers[name]))]
}
