import type { Machine } from '../../support/internet/namespaces'
import { PASSWORD } from '../../support/world/password'
import { run } from '../../support/system/debian'

interface Reply {
  status: number
  body: { code?: string; user?: { is_host: boolean; tier_name: string } }
}

/**
 * A browser on a machine, as curl: it keeps cookies, writes the headers that it likes, and trusts
 * every certificate.
 */
export class Curl {
  constructor(
    private readonly machine: Machine,
    private readonly url: string,
    private readonly jar: string,
    private readonly headers: readonly string[] = [],
  ) {}

  async ask(path: string, body?: object): Promise<Reply> {
    const sent =
      body === undefined ? [] : ['-H', 'Content-Type: application/json', '-d', JSON.stringify(body)]
    const cookies = [
      '-b',
      this.jar,
      '-c',
      this.jar,
      ...this.headers.flatMap((header) => ['-H', header]),
    ]
    const words = ['curl', '-sSk', '-w', '\n%{http_code}', ...cookies, ...sent, this.url + path]
    const { stdout } = await run('env', [...this.machine.enter, ...words])
    const end = stdout.lastIndexOf('\n')
    return {
      status: Number(stdout.slice(end + 1)),
      body: JSON.parse(stdout.slice(0, end)) as Reply['body'],
    }
  }

  register(username: string, more: object = {}): Promise<Reply> {
    return this.ask('/api/auth/register', account(username, more))
  }

  signIn(username: string, password = PASSWORD): Promise<Reply> {
    return this.ask('/api/auth/login', { username, password })
  }
}

const account = (username: string, more: object) => ({
  ...{ username, email: `${username}@example.com`, password: PASSWORD },
  ...more,
})
