import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { packArchive } from './package/host/archive'
import { packDebian } from './package/host/debian'
import { packRpm } from './package/host/rpm'
import { setTimes, stageHost, targets } from './package/host/stage'
import { stageSystem } from './package/host/system'
import { capture } from './test/tool'

/**
 * `npm run package:host`: packages the built host with Node for machines without both, into
 * release/ or `--out FOLDER`: an archive for each target, and for Linux a .deb and an .rpm. Names
 * of targets build those only. The same commit gives the same bytes.
 */
const { values, positionals } = parseArgs({
  options: { out: { type: 'string', default: 'release' } },
  allowPositionals: true,
})

const unknown = positionals.find((name) => !targets.some((target) => target.name === name))
if (unknown !== undefined)
  throw new Error(`There is no ${unknown}. Choose ${targets.map(({ name }) => name).join(', ')}`)

const out = resolve(values.out)
await mkdir(out, { recursive: true })
const time = await sourceTime()
const chosen = targets.filter(({ name }) => positionals.length === 0 || positionals.includes(name))

for (const target of chosen) {
  const work = await mkdtemp(join(tmpdir(), 'slipway-host-'))
  try {
    const folder = await stageHost(target, work)
    await setTimes(folder, time)
    const made = [await packArchive(folder, out, target)]

    if (target.packages !== undefined) {
      const { debian, rpm } = target.packages
      const system = await stageSystem(folder, join(work, 'system'))
      await setTimes(system, time)
      made.push(await packRpm(system, out, rpm, time))
      made.push(await packDebian(system, out, debian, time))
    }

    console.log(made.join('\n'))
  } finally {
    await rm(work, { recursive: true })
  }
}

/** The time of all files: that of the commit, unless SOURCE_DATE_EPOCH says another one. */
async function sourceTime(): Promise<number> {
  const given = process.env['SOURCE_DATE_EPOCH']
  const { output } =
    given === undefined ? await capture('git', ['log', '-1', '--format=%ct']) : { output: given }
  if (/^\d+\s*$/.test(output)) return Number(output)
  throw new Error(
    'Set SOURCE_DATE_EPOCH, the time of all files in seconds: there is no commit here',
  )
}
