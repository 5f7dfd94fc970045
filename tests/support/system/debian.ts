import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { bring, type Tool } from '../../../scripts/test/tools/debian'

export const run = promisify(execFile)

/** Installs the Debian packages of the tools that are missing. Throws where that fails. */
export async function needTools(...tools: Tool[]): Promise<void> {
  const failure = await bring(...tools)
  if (failure !== undefined) throw new Error(failure)
}
