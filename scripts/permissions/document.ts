import { answersTo, calls, endpointOf } from './answers'
import type { Call } from './rules'
import { actorNames } from './sample'

const INTRO = `# Who may do what

Made from the policies by \`npm run openapi\`; \`npm run check\` fails when it differs from them, and
\`tests/security/access/10-permissions.test.ts\` asks a real server every call as everybody, and compares.

Each row is a call of the [contract](openapi.json), each column somebody who makes it; the number is the status of the
answer. The things are alice's: a project, a file that it offers, a post, an API key, something in the trash. Carol
works on the project, dave did before. The host manages the host in the app window, and has no rights on what people
keep. A call with a session of a disabled account is that of a visitor.

- **404** is answered for what the caller may not see, byte for byte as for what does not exist; **403** for what it may
  see and not do; **401** where signing in, or another credential, would help.
- An API key that was revoked, has expired or is of a disabled account is refused everywhere, also where nobody needs to
  sign in: a CI job must notice.
- A key that may not do a call that is open to anyone makes it as a visitor.
- HEAD is answered as GET is. A download that is answered 200 is answered 206 for a range, and no other is.
`

/** docs/permissions.md: every call while alice's things are private, then those that are answered otherwise when public. */
export function permissionsPage(): string {
  const differs = (call: Call) => JSON.stringify(answersTo(call, true)) !== JSON.stringify(answersTo(call, false))
  return `${INTRO}\n## While they are private\n\n${table(calls, false)}
## When they are public\n\nAll other calls are answered as above.\n\n${table(calls.filter(differs), true)}`
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
