import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { root } from './root.mjs'

/** The optional packages of package.json with a Node for one platform each; npm installs the one that fits. */
const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
const fromPackage = join(root, 'node_modules', name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
const wanted = 24

/** Node 24: the one of the package for this platform, else the one we run on. Undefined: neither is there. */
export function findNode() {
  if (existsSync(fromPackage)) return fromPackage
  return Number.parseInt(process.versions.node, 10) >= wanted ? process.execPath : undefined
}

/** Our environment, in which `node` and the tools of node_modules are found first. */
export function environment() {
  const bins = [join(root, 'node_modules/.bin'), join(fromPackage, '..')]
  return { ...process.env, PATH: [...bins, process.env.PATH].join(delimiter) }
}
