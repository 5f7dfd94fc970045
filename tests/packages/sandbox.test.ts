import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { run } from '../support/system/debian'
import { tempDir } from '../support/system/temp-dir'
import { runnerFolder } from './support/workflow-runner'

const ELECTRON = '/home/a person/slipway/electron'
/** As an ordinary user, with stand-ins for the switch of Ubuntu and for the profile. */
const ADVISE = `const { sandboxAdvice } = await import(process.argv[1])
console.log(sandboxAdvice(...process.argv.slice(2)) ?? 'It starts.')`

async function advice(...paths: string[]): Promise<string> {
  const nobody = ['--reuid', '65534', '--regid', '65534', '--clear-groups']
  const script = join(import.meta.dirname, '../../scripts/bootstrap/sandbox.mjs')
  const node = [process.execPath, '--input-type=module', '-e', ADVISE, script, ELECTRON]
  return (await run('setpriv', [...nobody, ...node, ...paths])).stdout
}

test('where AppArmor keeps the window from its sandbox, npm start prints lines that allow it once', async () => {
  const dir = await tempDir()
  await run('chmod', ['755', dir])
  const [restricted, profile] = [join(dir, 'restricted'), join(dir, 'profile')]
  expect(await advice(restricted, profile)).toBe('It starts.\n')
  await writeFile(restricted, '0\n')
  expect(await advice(restricted, profile)).toBe('It starts.\n')

  await writeFile(restricted, '1\n')
  const said = await advice(restricted, profile)
  await run('sh', [
    '-euc',
    said
      .slice(said.indexOf('sudo tee'))
      .replace(/sudo apparmor.*/, '')
      .replace('sudo ', ''),
  ])
  expect(await advice(restricted, profile)).toBe('It starts.\n')
  const text = await readFile(profile, 'utf8')
  expect(text).toContain(`"${ELECTRON}"`)
  await expect(namesIn(text)).resolves.toBe('slipway-source\n')
})

test('the profile in the .deb and .rpm is one that AppArmor reads', async () => {
  const template = await readFile(
    'node_modules/app-builder-lib/templates/linux/apparmor-profile.tpl',
    'utf8',
  )
  const profile = template
    .replaceAll('${executable}', 'slipway')
    .replaceAll('${sanitizedProductName}', 'Slipway')
  expect(profile).toMatch(/^ {2}userns,$/m)
  expect(profile).toContain('"/opt/Slipway/slipway"')
  await expect(namesIn(profile)).resolves.toBe('slipway\n')
  await expect(namesIn(profile.replace('userns,', 'nonsense,'))).rejects.toThrow('syntax error')
})

/** The profiles that the parser of Debian 13 finds in a text. It throws at a fault. */
async function namesIn(profile: string): Promise<string> {
  const path = join(await tempDir(), 'profile')
  await writeFile(path, profile)
  const line = 'chroot "$1" apparmor_parser --skip-kernel-load --skip-cache --names < "$2"'
  return (await run('sh', ['-euc', line, 'sh', await runnerFolder(), path])).stdout
}
