import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { noRoot } from './rounds'
import { needTools, run } from './debian'

/** Where a program of a person runs. */
export interface Desk {
  cwd: string
  env: NodeJS.ProcessEnv
}

/** Debian's own Python, for which Debian has `requests`. */
const PYTHON = '/usr/bin/python3'
const REQUESTS = '/usr/lib/python3/dist-packages/requests/api.py'

let interpreter: Interpreter | undefined

/** Before scripts run: brings curl, unzip and Python's requests. */
export async function openScripts(): Promise<void> {
  if (noRoot === undefined) await needTools('curl', 'unzip', REQUESTS)
}

export function closeScripts(): void {
  interpreter?.close()
  interpreter = undefined
}

/** Runs lines of bash and returns what they print. Throws if one fails. */
export const shell = async (code: string, desk: Desk): Promise<string> =>
  (await run('bash', ['-euo', 'pipefail', '-c', code], desk)).stdout

/** The same for a module of Node. */
export const javaScript = async (code: string, desk: Desk): Promise<string> =>
  (await run(process.execPath, ['--input-type=module', '-e', code], desk)).stdout

/**
 * The same for Python, in one process for one script after another: importing requests takes long.
 */
export function python(code: string, desk: Desk): Promise<string> {
  interpreter ??= new Interpreter()
  return interpreter.run(code, desk)
}

class Interpreter {
  readonly #process = spawn(PYTHON, [join(import.meta.dirname, 'python.py')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  readonly #answers = createInterface(this.#process.stdout)[Symbol.asyncIterator]()

  async run(code: string, desk: Desk): Promise<string> {
    this.#process.stdin.write(`${JSON.stringify({ code, ...desk })}\n`)
    const answer = await this.#answers.next()
    if (answer.done) throw new Error('Python has ended')
    const { output, error } = JSON.parse(answer.value) as { output?: string; error?: string }
    if (output === undefined) throw new Error(error)
    return output
  }

  close(): void {
    this.#process.stdin.end()
  }
}
