import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { parse } from 'yaml'
import { aKey, curlOn } from '../../support/network/curl'
import { run } from '../../support/system/debian'
import { tempDir } from '../../support/system/temp-dir'
import { startHost } from '../../support/world/place'
import { slipwayUnder } from '../../support/world/process'

/** The step of the workflow that publishes a release. */
async function publishingStep(): Promise<string> {
  const workflow = parse(await readFile('.github/workflows/publish.yml', 'utf8')) as {
    jobs: { publish: { steps: { name?: string; run?: string }[] } }
  }
  return workflow.jobs.publish.steps.find(({ name }) => name === 'Push')?.run ?? ''
}

/**
 * A host with the public project `slipway`, in a network that these words enter. `push` publishes
 * files as the workflow does.
 */
export async function aPublisher(network: string[] = []) {
  const dir = await tempDir()
  const dataDir = join(dir, 'data')
  const { url } = await startHost(dataDir, { under: network })
  const curl = curlOn(network)
  const key = await aKey(curl, url, dir)
  await slipwayUnder(network, 'people', 'tier', 'alice', 'enterprise', '--data', dataDir)

  const json = ['-H', `X-API-Key: ${key}`, '-H', 'Content-Type: application/json']
  await curl(...json, '-d', '{"title":"Slipway","is_public":true}', `${url}/api/projects`)
  await writeFile(join(dir, 'notes.md'), 'Better.')

  const push = async (tag: string, ...paths: string[]) => {
    await rm(join(dir, 'release'), { recursive: true, force: true })
    await mkdir(join(dir, 'release'))
    for (const path of paths) await copyFile(path, join(dir, 'release', basename(path)))
    const given = { SLIPWAY_URL: url, SLIPWAY_KEY: key, TAG: tag, CHANNEL: 'stable' }
    const env = { ...process.env, ...given, npm_config_cache: join(dir, 'npm') }
    await run('env', [...network, 'bash', '-ec', await publishingStep()], { cwd: dir, env })
  }
  return { url, address: `${url}/p/slipway`, push }
}
