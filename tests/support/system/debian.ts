import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { bring, type Tool } from '../../../scripts/test/tools/debian'
import {
  cannotUnpack,
  unpack,
  type Unpackable,
  type Unpacked,
} from '../../../scripts/test/tools/unpacked'

export const run = promisify(execFile)

/** Installs the Debian packages of the tools that are missing. Throws where that fails. */
export async function needTools(...tools: Tool[]): Promise<void> {
  const failure = await bring(...tools)
  if (failure !== undefined) throw new Error(failure)
}

/**
 * The files of Debian packages, without installing them. Tests that need them skip with the reason
 * `cannotUnpack`; elsewhere, and in CI, it throws where the download fails.
 */
export async function unpacked<Name extends Unpackable>(
  ...names: Name[]
): Promise<Record<Name, Unpacked>> {
  if (cannotUnpack !== undefined) throw new Error(cannotUnpack)
  const entries: [string, Unpacked][] = []
  for (const name of names) entries.push([name, await unpack(name)])
  return Object.fromEntries(entries) as Record<Name, Unpacked>
}
