import { spawn } from 'node:child_process'
import { createPublicKey } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { addresses } from './package/addresses'
import { publicKey, signingKey, spki } from './package/keys'
import { signFeeds } from './package/sign-feeds'

/**
 * `npm run package`: packages the build into release/ with the update key. Signs the updates with
 * SLIPWAY_UPDATE_SIGNING_KEY; with SLIPWAY_UPDATE_PUBLIC_KEY alone it only embeds the key.
 * ELECTRON_OVERRIDE_DIST_PATH names a folder with an Electron to use instead of a download.
 */
const args = process.argv.slice(2)
const {
  SLIPWAY_UPDATE_SIGNING_KEY: secret,
  SLIPWAY_UPDATE_PUBLIC_KEY: givenKey,
  ELECTRON_OVERRIDE_DIST_PATH: ownElectron = '',
  ...others
} = process.env
// A workflow without a secret passes an empty variable, which electron-builder takes for a file.
const env = Object.fromEntries(Object.entries(others).filter(([, value]) => value !== ''))

const key = secret === undefined || secret === '' ? undefined : signingKey(secret)
const ofSecret = key && spki(createPublicKey(key))
const builtIn = givenKey === undefined || givenKey === '' ? ofSecret : spki(publicKey(givenKey))
if (ofSecret !== undefined && builtIn !== ofSecret) {
  throw new Error('SLIPWAY_UPDATE_PUBLIC_KEY does not belong to SLIPWAY_UPDATE_SIGNING_KEY')
}

if (builtIn === undefined) {
  console.warn(
    'No update key is given (SLIPWAY_UPDATE_SIGNING_KEY): these packages will refuse every update.',
  )
}
const builder = fileURLToPath(import.meta.resolve('electron-builder/cli.js'))
const keyOption = builtIn === undefined ? [] : [`-c.extraMetadata.updateKey=${builtIn}`]
const given = [
  ...keyOption,
  ...addressOptions(),
  ...electronOptions(ownElectron),
  ...azureOptions(env),
]
const options = ['--publish', 'never', ...given, ...args]
const child = spawn(process.execPath, [builder, ...options], { env, stdio: 'inherit' })
const [code] = (await once(child, 'close')) as [number | null]
process.exitCode = code ?? 1

if (process.exitCode === 0) {
  const output =
    args.map((arg) => /^-c\.directories\.output=(.+)$/.exec(arg)?.[1]).findLast(Boolean) ??
    'release'
  const feeds = (await signFeeds(output, key)).join(', ')
  if (feeds === '') console.log('There is no latest*.yml to sign.')
  else if (key) console.log(`Signed: ${feeds}. Upload each .sig with its file.`)
  else
    console.warn(
      `NOT signed, no signing key is given: ${feeds}. No copy of Slipway takes these updates.`,
    )
}

function addressOptions(): string[] {
  const { homepage, feed, maintainer } = addresses()
  return [
    ...(homepage === undefined ? [] : [`-c.extraMetadata.homepage=${homepage}`]),
    `-c.publish.url=${feed}`,
    `-c.linux.maintainer=${maintainer}`,
  ]
}

function electronOptions(folder: string): string[] {
  if (folder === '') return []
  const version = readFileSync(join(folder, 'version'), 'utf8').trim().replace(/^v/, '')
  return [`-c.electronDist=${folder}`, `-c.electronVersion=${version}`]
}

/**
 * Signs for Windows by Azure Trusted Signing. SLIPWAY_AZURE_SIGNING is JSON: publisherName,
 * endpoint, codeSigningAccountName and certificateProfileName of `azureSignOptions`. The
 * credentials are in the variables of Azure.
 */
function azureOptions({ SLIPWAY_AZURE_SIGNING: given }: NodeJS.ProcessEnv): string[] {
  if (given === undefined) return []
  const options = JSON.parse(given) as Record<string, string>
  return Object.entries(options).map(([name, value]) => `-c.win.azureSignOptions.${name}=${value}`)
}
