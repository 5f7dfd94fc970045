import { join } from 'node:path'
import { environment, findNode } from './node.mjs'
import { root } from './root.mjs'
import { run } from './run.mjs'

/** V8's compile cache, which speeds up the next start. */
const compileCache = join(root, 'node_modules/.cache/compile')

/** Runs the built server under Node 24, without a window. It prints its address when it listens. */
export function runHeadless(args) {
  const env = { NODE_COMPILE_CACHE: compileCache, ...environment() }
  return run(findNode(), [join(root, 'dist/server/cli.js'), ...args], { env })
}
