import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { PASSWORD } from '../world/password'

/** Runs curl and returns what it prints. Throws where it fails. */
export type Curl = (...args: string[]) => Promise<string>

/** curl on a machine of a test network; `enter` are the words that start a program there. */
export function curlOn(enter: readonly string[]): Curl {
  return async (...args) =>
    (await promisify(execFile)('env', [...enter, 'curl', '-sS', '--fail-with-body', ...args]))
      .stdout
}

/**
 * An API key of a new account, made on the host's own machine or with the token of its setup link.
 * `dir` keeps the cookies.
 */
export async function aKey(curl: Curl, url: string, dir: string, setup?: string): Promise<string> {
  const cookies = ['-b', join(dir, 'jar'), '-c', join(dir, 'jar'), '-H', `Origin: ${url}`]
  const send = (path: string, body: object) =>
    curl(...cookies, '-H', 'Content-Type: application/json', '-d', JSON.stringify(body), url + path)
  const account = { username: 'alice', email: 'a@example.com', password: PASSWORD }
  await send('/api/auth/register', { ...account, setup })
  await send('/api/auth/login', account)
  return (JSON.parse(await send('/api/auth/api-keys', { name: 'CI' })) as { api_key: string })
    .api_key
}

/** Uploads a public file, and returns its id. */
export async function publicFile(
  curl: Curl,
  url: string,
  key: string,
  path: string,
): Promise<string> {
  const form = ['-H', `X-API-Key: ${key}`, '-F', 'is_public=true', '-F', `file=@${path}`]
  return (JSON.parse(await curl(...form, `${url}/api/files/upload`)) as { file_id: string }).file_id
}
