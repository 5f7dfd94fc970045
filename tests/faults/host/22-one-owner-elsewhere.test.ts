import { hostname } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { upload } from '../../support/world/upload'
import { container, machine } from '../support/elsewhere'
import { Host, until } from '../../support/world/process'
import { examine } from '../../support/crash/ledger'
import { aCommitLog, publish } from '../../support/crash/publishing'
import { fetchAt, register, startHost } from '../../support/world/place'
import { named, noRoot, rounds } from '../../support/system/rounds'
import { tempDir } from '../../support/system/temp-dir'

const ROUNDS = rounds(20, 1)
/** Long enough for a busy machine to beat in between. */
const SILENCE = ['--lock-silence-ms', '6000']

async function aDataDir(): Promise<string> {
  const base = await tempDir()
  return join(base, 'data')
}

/** A host with three clients that publish until it no longer answers. */
async function aBusyHost(dir: string, under: string[] = []) {
  const host = await startHost(dir, { under, also: SILENCE })
  const place = await register(host)
  const ledgers = await Promise.all([1, 2, 3].map(() => aCommitLog(place)))
  const work = Promise.all(ledgers.map((ledger) => publish(place, ledger)))
  const goesOn = () => {
    const before = ledgers.map(({ acknowledged }) => acknowledged)
    return until(async () => ledgers.every(({ acknowledged }, n) => acknowledged > before[n]! + 4))
  }
  await goesOn()
  return { host, ledgers, work, goesOn }
}

const inUseOn = (name: string) =>
  new RegExp(
    `is in use by another Slipway \\(host ${name}, since \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d UTC\\)\\n`,
  )

test.skipIf(noRoot)(
  named(`a host in another container is refused while the first one writes, ${ROUNDS} times`),
  async () => {
    const dir = await aDataDir()
    const { host, ledgers, work, goesOn } = await aBusyHost(dir)
    for (let round = 0; round < ROUNDS; round++) {
      await expect(startHost(dir, { under: container, also: SILENCE })).rejects.toThrow(
        inUseOn(hostname()),
      )
      await goesOn()
    }
    await host.stop()
    await work
    await examine(dir, ledgers)
  },
)

test.skipIf(noRoot)(
  named('after kill -9 a host starts without waiting, in the same container or another'),
  async () => {
    const dir = await aDataDir()
    const { host, ledgers, work } = await aBusyHost(dir)
    await host.kill()
    await work
    const same = await startHost(dir)
    expect(same.stderr).not.toContain('Waiting')
    await same.kill()
    const other = await startHost(dir, { under: container })
    expect(other.stderr).not.toContain('Waiting')
    await other.kill()
    await examine(dir, ledgers)
  },
)

test.skipIf(noRoot)(
  named('a host on another machine is refused while the first one writes'),
  async () => {
    const dir = await aDataDir()
    const { host, ledgers, work, goesOn } = await aBusyHost(dir, await machine('first', dir))
    const second = Host.spawn(dir, { under: await machine('second', dir), also: SILENCE })
    await expect(second.ready()).rejects.toThrow(inUseOn('first'))
    expect(second.stderr).toMatch(/UTC\)\. Waiting 6 s to see whether it is still running\.\n/)
    await goesOn()
    await host.stop()
    await work
    await examine(dir, ledgers)
  },
)

test.skipIf(noRoot)(
  named('a host on another machine takes over after a killed one is silent'),
  async () => {
    const dir = await aDataDir()
    const { host, ledgers, work } = await aBusyHost(dir, await machine('first', dir))
    await host.kill()
    await work
    const second = await startHost(dir, { under: await machine('second', dir), also: SILENCE })
    expect(second.stderr).toMatch(/UTC\)\. Waiting 6 s to see whether it is still running\.\n/)
    await second.stop()
    await examine(dir, ledgers)
  },
)

test.skipIf(noRoot)(
  named(
    'a suspended host writes nothing after another machine has taken over, and names that machine',
  ),
  async () => {
    const dir = await aDataDir()
    const { host, ledgers, work } = await aBusyHost(dir, await machine('first', dir))
    host.process.kill('SIGSTOP')
    const second = await startHost(dir, { under: await machine('second', dir), also: SILENCE })
    const place = await register(second, 'bob')
    const later = await aCommitLog(place)
    await upload(fetchAt(place), new File(['later'], 'alone.txt'))
    host.process.kill('SIGCONT')
    await host.ended
    await work
    expect(host.process.exitCode, host.stdout + host.stderr).toBe(1)
    expect(host.stdout, host.stderr).toContain('Another Slipway took over')
    expect(host.stderr).toMatch(inUseOn('second'))
    await upload(fetchAt(place), new File(['more'], 'alone.txt'))
    await second.stop()
    await examine(dir, [...ledgers, later])
  },
)
