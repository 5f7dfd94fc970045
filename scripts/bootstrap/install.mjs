import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findNode } from './node.mjs'
import { root } from './root.mjs'
import { run } from './run.mjs'

/** Installs what is missing or out of date, exactly as package-lock.json says. */
export async function install() {
  if (isInstalled()) return
  console.log('Installing the packages of package-lock.json …')
  const npm = process.env.npm_execpath
  // With NODE_ENV=production npm leaves out what builds the pages.
  const args = ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error']
  const code = npm
    ? await run(process.execPath, [npm, ...args], { cwd: root })
    : await run('npm', args, { cwd: root, shell: process.platform === 'win32' })
  if (code !== 0) throw new Error(`npm ci failed with exit code ${code}.`)
  if (findNode() === undefined)
    throw new Error('npm has no Node 24 for this computer: install it from https://nodejs.org, then run this again.')
}

/** Whether node_modules holds each package in the version that package-lock.json names (npm keeps its own list there). */
function isInstalled() {
  const wanted = packagesOf('package-lock.json')
  const present = packagesOf('node_modules/.package-lock.json')
  if (wanted === undefined || present === undefined || findNode() === undefined) return false
  return Object.entries(wanted).every(
    ([path, { version, optional }]) => path === '' || optional || present[path]?.version === version,
  )
}

function packagesOf(lockFile) {
  try {
    return JSON.parse(readFileSync(join(root, lockFile), 'utf8')).packages
  } catch {
    return undefined
  }
}
