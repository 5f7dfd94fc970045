import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { run, unpacked } from '../system/debian'
import { tempDir } from '../system/temp-dir'

/** Podman in a folder: the result runs lines of the page there. */
export async function aPodman() {
  const { podman } = await unpacked('podman')
  const dir = await tempDir()
  await mkdir(join(dir, '.config/containers'), { recursive: true })
  const accepts = JSON.stringify({ default: [{ type: 'insecureAcceptAnything' }] })
  await writeFile(join(dir, '.config/containers/policy.json'), accepts)
  const env = { ...process.env, ...podman.env, HOME: dir, XDG_RUNTIME_DIR: dir }
  const program = podman.file('usr/bin/podman')
  // Sockets lie there, so that it takes 50 characters at most.
  const short = await mkdtemp('/tmp/slipway-podman-')
  onTestFinished(() => rm(short, { recursive: true, force: true }))
  const options = `--root ${dir}/root --runroot ${short} --tmpdir ${dir}/tmp --storage-driver vfs --cgroup-manager cgroupfs --conmon ${podman.file('usr/bin/conmon')} --runtime ${podman.file('usr/bin/crun')}`
  return async (lines: string) =>
    (
      await run('sh', ['-ec', lines.replaceAll('podman ', `${program} ${options} `)], { env })
    ).stdout.trim()
}
