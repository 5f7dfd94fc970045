import { join } from 'node:path'
import { environment, findNode } from './node.mjs'
import { root } from './root.mjs'
import { run } from './run.mjs'

/** Runs the built server under Node 24, without a window. It prints its address when it listens. */
export function runHeadless(args) {
  return run(findNode(), [join(root, 'dist/server/cli.js'), ...args], { env: environment() })
}
