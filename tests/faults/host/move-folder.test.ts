import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { build } from 'vite'
import { beforeAll, expect, test } from 'vitest'
import { serverBundle } from '../../../scripts/build/node-bundles'
import { findData } from '../../../server/data/folder/find'
import { verify } from '../../../server/data/repair/verify'
import { upload } from '../../support/world/upload'
import { Host } from '../../support/world/process'
import { fetchAt, register } from '../../support/world/place'
import { rounds } from '../../support/system/rounds'
import { tempDir } from '../../support/system/temp-dir'

/** The move is killed after every so many disk operations. */
const EVERY = rounds(1, 7)

let worker = ''
let original = ''
let digest = ''

beforeAll(async () => {
  const base = await mkdtemp(join(tmpdir(), 'slipway-move-'))
  const rolldownOptions = {
    ...serverBundle.build?.rolldownOptions,
    input: { worker: join(import.meta.dirname, '../support/move-worker.ts') },
  }
  await build({
    ...serverBundle,
    build: { ...serverBundle.build, outDir: join(base, 'built'), rolldownOptions },
  })
  worker = join(base, 'built/worker.js')
  original = join(base, 'data')
  const host = await Host.start(original)
  const place = await register(host)
  for (const name of ['one', 'two', 'three'])
    await upload(fetchAt(place), new File([name.repeat(1000)], `${name}.txt`))
  await host.stop()
  await mkdir(join(original, 'window'))
  await writeFile(join(original, 'window/window.json'), '{}')
  digest = (await verify(original, { readData: true })).digest
  return () => rm(base, { recursive: true, force: true })
}, 60_000)

/** A data folder, and an empty one to which it moves. */
async function aRoute(): Promise<{ home: string; to: string }> {
  const base = await tempDir()
  const [home, to] = [join(base, 'home'), join(base, 'to')]
  await cp(original, home, { recursive: true })
  await mkdir(to)
  return { home, to }
}

/** Moves in its own process. Returns its number of steps, or undefined if it was killed. */
async function move({ home, to }: { home: string; to: string }, shares: boolean, last: number) {
  const child = spawn(
    process.execPath,
    [worker, home, to, shares ? 'shares' : 'copies', String(last)],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  const [said, [code, signal]] = await Promise.all([text(child.stdout), once(child, 'close')])
  expect(signal ?? code).toBe(said === '' ? 'SIGKILL' : 0)
  return said === '' ? undefined : Number(said)
}

async function expectWhole(dir: string): Promise<void> {
  expect(await verify(dir, { readData: true })).toMatchObject({ digest, problems: [] })
}

test.each([
  ['is copied', false],
  ['shares its bytes', true],
])(
  'a move that %s and is killed at any step leaves one whole library, and no half one',
  async (_how, shares) => {
    let switched = 0
    for (let last = 1; ; last += EVERY) {
      const route = await aRoute()
      const steps = await move(route, shares, last)
      const { dataDir, news } = await findData(route.home)
      await expectWhole(dataDir)
      if (dataDir === route.to) {
        switched++
        expect(await readdir(route.to)).not.toContain('moving.json')
      } else {
        const left = await readdir(route.to).catch(() => [])
        // A kill within its very first step may leave the draft of a mark, and nothing else.
        expect(left.filter((name) => !name.startsWith('moving.json'))).toEqual([])
        if (news !== undefined) expect(news).toContain('was interrupted. Your data is still in')
        expect((await findData(route.home)).news).toBeUndefined()
      }
      if (steps !== undefined) {
        expect(dataDir).toBe(route.to)
        await expectWhole(route.home)
        expect(await readdir(route.to)).not.toContain('window')
        console.log(
          `28: ${Math.ceil(steps / EVERY)} kills of ${steps} steps, ${switched} after the switch`,
        )
        return
      }
    }
  },
)

test('a host on the old folder continues in the new one, and without its disk creates no new library', async () => {
  const { home, to } = await aRoute()
  await move({ home, to }, false, 0)
  const host = await Host.start(home)
  expect((await readdir(to)).some((name) => name.endsWith('.lock'))).toBe(true)
  await host.stop()
  await rm(to, { recursive: true })
  await mkdir(to)
  await expect(Host.start(home)).rejects.toThrow(
    `The data folder ${to} is missing. Connect its disk`,
  )
  expect(await readdir(to)).toEqual([])
})
