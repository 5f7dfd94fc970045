import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { run } from '../system/debian'
import { tempDir } from '../system/temp-dir'

/**
 * A computer with Debian's apt, in a folder: runs lines of the page there. The clock of tests is in
 * the future.
 */
export async function anAptComputer() {
  const dir = await tempDir()
  const root = join(dir, 'root')
  for (const name of [
    'etc/sources.list.d',
    'etc/apt.conf.d',
    'state/lists/partial',
    'cache/archives/partial',
    'log',
    'root/var/lib/dpkg/info',
    'root/var/lib/dpkg/updates',
  ])
    await mkdir(join(dir, name), { recursive: true })
  for (const name of ['status', 'available']) await writeFile(join(root, 'var/lib/dpkg', name), '')
  const config = `
Dir "${dir}"; Dir::State "${dir}/state"; Dir::State::status "${root}/var/lib/dpkg/status"; Dir::Cache "${dir}/cache";
Dir::Etc "${dir}/etc"; Dir::Etc::sourceparts "${dir}/etc/sources.list.d"; Dir::Log "${dir}/log";
Dir::Bin::methods "/usr/lib/apt/methods"; APT::Sandbox::User "root"; APT::Architecture "amd64"; DPkg::Options:: "--root=${root}";
APT::Get::Assume-Yes "true"; Acquire::Retries "0"; APT::Update::Error-Mode "any"; Acquire::Check-Date "false";`
  await writeFile(join(dir, 'apt.conf'), config)
  const env = { ...process.env, APT_CONFIG: join(dir, 'apt.conf'), WGETRC: '', LC_ALL: 'C' }
  const enter = async (lines: string) => {
    const here = lines
      .replaceAll('sudo ', '')
      .replaceAll('/etc/apt', `${dir}/etc`)
      .replaceAll(/^apt /gm, 'apt-get ')
    return (await run('sh', ['-ec', here], { env })).stdout
  }
  const installed = async () =>
    (await run('dpkg-query', ['--root', root, '-W', '-f', '${Version}', 'rocket'])).stdout
  /** Changes the address in its sources. */
  const point = async (from: string, to: string) => {
    const path = join(dir, 'etc/sources.list.d/rocket.sources')
    await writeFile(path, (await readFile(path, 'utf8')).replaceAll(from, to))
  }
  /** As `update-ca-certificates` does for all programs. */
  const trust = async (authority: string) => {
    const path = join(dir, 'ca.crt')
    await writeFile(path, authority)
    env.WGETRC = join(dir, 'wgetrc')
    await writeFile(env.WGETRC, `ca_certificate = ${path}\n`)
    await writeFile(env.APT_CONFIG, `Acquire::https::CaInfo "${path}";`, { flag: 'a' })
  }
  return { enter, installed, point, trust }
}
