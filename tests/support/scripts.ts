import { spawn, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { noRoot } from '../faults/support/rounds'
import { needTools, run } from './debian'

/** Where a program of a person runs. */
export interface Desk {
  cwd: string
  env: NodeJS.ProcessEnv
}

/** Debian's own Python, for which Debian has `requests`. */
const PYTHON = '/usr/bin/python3'
const REQUESTS = '/usr/lib/python3/dist-packages/requests/api.py'

let interpreter: ChildProcess | undefined

/** Before scripts run: brings curl, unzip and Python's requests. */
export async function openScripts(): Promise<void> {
  if (noRoot === undefined) await needTools('curl', 'unzip', REQUESTS)
}

export function closeScripts(): void {
  interpreter?.kill()
}

/** Runs lines of bash and returns what they print. Throws if one fails. */
export const shell = async (code: string, desk: Desk): Promise<string> =>
  (await run('bash', ['-euo', 'pipefail', '-c', code], desk)).stdout

/** The same for a module of Node. */
export const javaScript = async (code: string, desk: Desk): Promise<string> =>
  (await run(process.execPath, ['--input-type=module', '-e', code], desk)).stdout

/** The same for Python, in one process for one script after another: importing requests takes long. */
export async function python(code: string, desk: Desk): Promise<string> {
  const script = join(import.meta.dirname, 'python.py')
  interpreter ??= spawn(PYTHON, [script], { stdio: ['pipe', 'pipe', 'inherit'] })
  const answer = new Promise<string>((resolve) => createInterface(interpreter!.stdout!).once('line', resolve))
  interpreter.stdin!.write(`${JSON.stringify({ code, ...desk })}\n`)
  const { output, error } = JSON.parse(await answer) as { output?: string; error?: string }
  if (output === undefined) throw new Error(error)
  return output
}
