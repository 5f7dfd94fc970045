import { spawn } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../../../scripts/dev/free-port'
import { childOf, run, stop } from '../../support/machines/process'
import type { Subject } from './subject'

/** Where Debian puts it. */
const NGINX = '/usr/sbin/nginx'

/** How it sends: by the system alone, or, as every other program, through its own memory. */
const modes = {
  sendfile: 'sendfile on; tcp_nopush on;',
  copying: 'sendfile off; output_buffers 2 256k;',
}

/**
 * nginx as Debian ships it, once in each mode, which serve a folder; none where it is not here and
 * we may not install it.
 */
export async function startNginx(dir: string, files: string): Promise<Subject[]> {
  if (!(await installed())) return []
  return Promise.all(
    Object.entries(modes).map(([name, mode]) =>
      start(name, mode, join(dir, `nginx-${name}`), files),
    ),
  )
}

async function start(name: string, mode: string, root: string, files: string): Promise<Subject> {
  const port = await freePort()
  await mkdir(root)
  await writeFile(join(root, 'nginx.conf'), config(root, mode, port, files))
  const child = spawn(NGINX, ['-c', join(root, 'nginx.conf'), '-p', root], { stdio: 'inherit' })
  await pause(500)
  return {
    name: `nginx ${name}`,
    pid: await childOf(child.pid ?? 0),
    download: (sample) => `http://127.0.0.1:${port}/${sample}`,
    stop: () => stop(child),
  }
}

async function installed(): Promise<boolean> {
  const has = () =>
    run(NGINX, ['-v']).then(
      () => true,
      () => false,
    )
  if (await has()) return true
  if (process.getuid?.() !== 0) return false
  await run('apt-get', ['install', '-y', '--no-install-recommends', 'nginx-light']).catch(
    () => undefined,
  )
  return has()
}

const config = (root: string, mode: string, port: number, files: string) => `
user root;
daemon off;
worker_processes 1;
pid ${root}/pid;
error_log ${root}/error.log;
events { worker_connections 512; }
http {
  access_log off;
  ${mode}
  client_body_temp_path ${root}/tmp;
  server {
    listen 127.0.0.1:${port};
    root ${files};
  }
}
`
