import { existsSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { root } from './root.mjs'

/** The packages below are linked against glibc, which Alpine Linux lacks. */
const isMusl =
  process.platform === 'linux' && !process.report.getReport().header.glibcVersionRuntime

/**
 * The optional packages of package.json with a Node for one platform each; npm installs the one
 * that fits.
 */
const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
const bin = join(root, 'node_modules', name, 'bin')
const fromPackage = join(bin, process.platform === 'win32' ? 'node.exe' : 'node')

/** The Node that runs everything, and the oldest one whose npm installs the packages. */
const RUNS = 24
const INSTALLS = [20, 19]

const [major, minor] = process.versions.node.split('.').map(Number)

const ADVICE = 'Install Node 24 from https://nodejs.org, then run this again.'

/** Throws what to install where this Node cannot install Slipway, or where nothing would run it. */
export function checkNode() {
  if (major < INSTALLS[0] || (major === INSTALLS[0] && minor < INSTALLS[1]))
    throw new Error(
      `Slipway needs Node 20.19 or later. This is Node ${process.versions.node}. ${ADVICE}`,
    )
  if (major >= RUNS || hasPackage()) return

  const computer = `${process.platform} ${process.arch}${isMusl ? ' with musl' : ''}`
  throw new Error(`Slipway needs Node 24 here, because npm has no Node for ${computer}. ${ADVICE}`)
}

/** Throws what to install where npm left out the package with Node 24, which is optional. */
export function requireNode() {
  if (findNode() === undefined) throw new Error(`npm did not install ${name}. ${ADVICE}`)
}

/** Whether npm has a Node 24 for this platform. */
function hasPackage() {
  const { optionalDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  return !isMusl && name in optionalDependencies
}

/**
 * Returns Node 24: the one of the package for this platform, else the one we run on. Undefined
 * without either.
 */
export function findNode() {
  if (!isMusl && existsSync(fromPackage)) return fromPackage
  return major >= RUNS ? process.execPath : undefined
}

/** Our environment, in which `node` and the tools of node_modules are found first. */
export function environment() {
  const bins = [join(root, 'node_modules/.bin'), ...(isMusl ? [] : [bin])]
  return { ...process.env, PATH: [...bins, process.env.PATH].join(delimiter) }
}
