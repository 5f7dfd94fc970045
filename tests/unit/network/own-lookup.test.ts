import { execFile } from 'node:child_process'
import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { ownLookup } from '../../../server/network/own-lookup'
import { tempDir } from '../../support/system/temp-dir'

const lookUp = (name: string, all: boolean) =>
  new Promise((resolve, reject) =>
    ownLookup(name, { all }, (error, ...found) => (error ? reject(error) : resolve(found))),
  )

test('finds the addresses of a name, and none of an unknown one', async () => {
  expect(await lookUp('localhost', true)).toEqual([
    expect.arrayContaining([expect.objectContaining({ family: expect.any(Number) as number })]),
  ])
  expect(['127.0.0.1', '::1']).toContain(((await lookUp('localhost', false)) as string[])[0])
  // Without a network the name server does not answer.
  const code = expect.stringMatching(/^(ENOTFOUND|EAI_AGAIN)$/) as string
  await expect(lookUp('no-such-name.invalid', true)).rejects.toMatchObject({ code })
})

test.skipIf(process.platform !== 'linux')(
  'a name server that is silent does not delay the exit',
  async () => {
    const dir = await tempDir()
    const path = join(dir, 'getent')
    await writeFile(path, '#!/bin/sh\nexec sleep 600\n')
    await chmod(path, 0o755)
    const proof = join(import.meta.dirname, '../../../server/network/proof.ts')
    const script = `
    const { Proof } = await import(${JSON.stringify(proof)})
    void new Proof().ask('http://slipway.local:4780')
    setTimeout(() => process.exit(0), 100)`
    const env = { ...process.env, PATH: `${dir}:${process.env['PATH']}` }
    const asking = promisify(execFile)(
      process.execPath,
      ['--import', 'tsx', '--input-type=module', '-e', script],
      {
        env,
      },
    )
    await expect(asking).resolves.toMatchObject({ stderr: '' })
  },
)
