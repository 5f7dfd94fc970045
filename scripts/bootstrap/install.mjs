import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkNode, findNode, requireNode } from './node.mjs'
import { root } from './root.mjs'
import { run } from './run.mjs'
import { step } from './step.mjs'

/** Installs missing or outdated packages, exactly as package-lock.json lists them. */
export async function install() {
  checkNode()
  if (isInstalled()) return

  const code = await step(
    1,
    `Installing about ${countPackages()} packages, 900 MB`,
    installPackages,
  )
  if (code !== 0) throw new Error(`npm ci failed with exit code ${code}.`)
  requireNode()
}

async function installPackages() {
  const npm = process.env.npm_execpath
  // NODE_ENV=production would leave out the packages that build the pages.
  const args = [
    'ci',
    '--include=dev',
    '--no-audit',
    '--no-fund',
    '--no-progress',
    '--loglevel=error',
  ]
  return npm
    ? run(process.execPath, [npm, ...args], { cwd: root })
    : run('npm', args, { cwd: root, shell: process.platform === 'win32' })
}

/** Number of packages that npm installs on this platform, rounded to tens. */
function countPackages() {
  const fits = (names, name) => names === undefined || names.includes(name)
  const packages = Object.values(packagesOf('package-lock.json') ?? {})
  const ours = packages.filter(
    ({ os, cpu, libc }) =>
      fits(os, process.platform) && fits(cpu, process.arch) && fits(libc, 'glibc'),
  )
  return Math.round(ours.length / 10) * 10
}

/**
 * Whether node_modules holds each package in the version that package-lock.json names (npm keeps
 * its own list there).
 */
function isInstalled() {
  const locked = packagesOf('package-lock.json')
  const present = packagesOf('node_modules/.package-lock.json')
  if (locked === undefined || present === undefined || findNode() === undefined) return false
  return Object.entries(locked).every(
    ([path, { version, optional }]) =>
      path === '' || optional || present[path]?.version === version,
  )
}

function packagesOf(lockFile) {
  try {
    return JSON.parse(readFileSync(join(root, lockFile), 'utf8')).packages
  } catch {
    return undefined
  }
}
