import { spawn } from 'node:child_process'
import { createPublicKey } from 'node:crypto'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { addresses } from './package/addresses'
import { publicKey, signingKey, spki } from './package/keys'
import { signFeeds } from './package/sign-feeds'

/**
 * `npm run package`: packages the build into release/ with the update key. Signs the updates with
 * SLIPWAY_UPDATE_SIGNING_KEY; with SLIPWAY_UPDATE_PUBLIC_KEY alone it only embeds the key.
 */
const args = process.argv.slice(2)
const {
  SLIPWAY_UPDATE_SIGNING_KEY: secret,
  SLIPWAY_UPDATE_PUBLIC_KEY: givenKey,
  ...env
} = process.env

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
const { homepage, feed, maintainer } = addresses()
const addressOptions = [
  ...(homepage === undefined ? [] : [`-c.extraMetadata.homepage=${homepage}`]),
  `-c.publish.url=${feed}`,
  `-c.linux.maintainer=${maintainer}`,
]
const options = ['--publish', 'never', ...keyOption, ...addressOptions, ...args]
const child = spawn(process.execPath, [builder, ...options], {
  env,
  stdio: 'inherit',
})
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
