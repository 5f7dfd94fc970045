import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { root } from './root.mjs'

const exe = process.platform === 'win32' ? 'node.exe' : 'node'
const fromPackage = join(root, 'node_modules/node/bin', exe)
const wanted = 24

/** Node 24: the one of the `node` package, else the one we run on. Undefined: neither is there. */
export function findNode() {
  if (existsSync(fromPackage)) return fromPackage
  return Number.parseInt(process.versions.node, 10) >= wanted ? process.execPath : undefined
}

/** Our environment, in which `node` and the tools of node_modules are found first. */
export function environment() {
  const bins = [join(root, 'node_modules/.bin'), join(fromPackage, '..')]
  return { ...process.env, PATH: [...bins, process.env.PATH].join(delimiter) }
}
