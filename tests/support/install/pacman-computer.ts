import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { run } from '../system/debian'

/**
 * A computer with pacman in a folder: runs lines of the page there. Its own key, which trusts
 * others, is a quick one.
 */
export async function aPacmanComputer() {
  const dir = await mkdtemp(join(tmpdir(), 'slipway-pacman-'))
  const home = join(dir, 'gnupg')
  onTestFinished(async () => {
    await run('gpgconf', ['--homedir', home, '--kill', 'all'])
    await rm(dir, { recursive: true, force: true })
  })
  for (const name of ['gnupg', 'root', 'db', 'cache']) await mkdir(join(dir, name), { mode: 0o700 })
  const conf = join(dir, 'pacman.conf')
  await writeFile(conf, '[options]\nArchitecture = x86_64\nSigLevel = Required DatabaseOptional\n')
  // As `pacman-key --init` makes it.
  await writeFile(join(home, 'pubring.gpg'), '')
  const quick = [
    '--batch',
    '--passphrase',
    '',
    '--quick-gen-key',
    'Computer',
    'ed25519',
    'sign,cert',
  ]
  await run('gpg', ['--homedir', home, ...quick])
  const options = `--root ${dir}/root --dbpath ${dir}/db --cachedir ${dir}/cache --gpgdir ${home} --config ${conf} --logfile ${dir}/log --hookdir ${dir}/hooks`
  const enter = (lines: string) => {
    const here = lines
      .replaceAll('sudo ', '')
      .replaceAll('/etc/pacman.conf', conf)
      .replaceAll('pacman-key ', `pacman-key --config ${conf} --gpgdir ${home} `)
      .replaceAll(/\bpacman -/g, `pacman ${options} -`)
      .replaceAll(' -Sy', ' --noconfirm -Sy')
    return run('sh', ['-ec', here], { env: { ...process.env, LC_ALL: 'C' } })
  }
  const installed = async () => (await enter('pacman -Q')).stdout.trim()
  return { dir, conf, enter, installed }
}
