import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { verifyCommands } from '../../../server/texts/verify-commands'

const bytes = Buffer.from('the bytes')
const sha256 = createHash('sha256').update(bytes).digest('hex')
const has = (program: string) => spawnSync(program, ['--version']).status === 0

test.each([
  'lantern 1.0.apk',
  "it's; touch pwned #.zip",
  '$(touch pwned)`id`.zip',
  '-rf.zip',
  'ü %s “x” ‘y’.zip',
])(
  '%s: the shell of macOS and Linux says OK for the file, and no for another, and does nothing else',
  async (name) => {
    const dir = await mkdtemp(join(tmpdir(), 'slipway-verify-'))
    const [macOs, linux] = verifyCommands(name, sha256)
    const run = (command: string) =>
      spawnSync('sh', ['-c', command], { cwd: dir, encoding: 'utf8' })
    const lines = [
      ...(has('sha256sum') ? [linux!.command] : []),
      ...(has('shasum') ? [macOs!.command] : []),
    ]
    await writeFile(join(dir, name), bytes)
    const good = lines.map((line) => run(line).status)
    await writeFile(join(dir, name), 'other bytes')
    const bad = lines.map((line) => run(line).status)
    const left = run('ls').stdout.trim().split('\n')
    await rm(dir, { recursive: true })

    expect(lines.length).toBeGreaterThan(0)
    expect(good.every((status) => status === 0)).toBe(true)
    expect(bad.every((status) => status !== 0)).toBe(true)
    expect(left).toHaveLength(1)
  },
)

test('PowerShell gets a name in quotes that nothing in it can end', () => {
  const [, , windows] = verifyCommands("a'b’c.exe", sha256)

  expect(windows?.command).toBe(`(Get-FileHash -LiteralPath 'a''b’’c.exe').Hash -eq '${sha256}'`)
})
