import { basic, PASSWORD } from '../network/link-password'
import type { TestServer } from '../world/test-server'

/**
 * A tester link with a password, and the address that its page names to programs, which send no
 * password.
 */
export async function aLockedLink(
  server: TestServer,
  owner: ReturnType<TestServer['as']>,
  id: string,
  channel = 'beta',
) {
  const { tester, url } = await owner.testers.create({
    id,
    name: 'Berlin',
    channel,
    password: PASSWORD,
  })
  const { pathname: path } = new URL(url)
  const headers = basic()
  const page = await (await server.fetch(path, { headers })).text()
  const [base = 'not named'] = /\/t\/[\w-]{22}\.[\w-]{22}/.exec(page) ?? []
  return { testerId: tester.tester_id, path, base, headers, page }
}
