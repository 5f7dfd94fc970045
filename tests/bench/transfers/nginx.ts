import { spawn } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../../../scripts/dev/free-port'
import { childOf, run, stop } from './process'
import type { Subject } from './subject'

/** Where Debian puts it. */
const NGINX = '/usr/sbin/nginx'

/** nginx as Debian ships it, with sendfile and WebDAV; undefined where there is none and we may not install it. */
export async function startNginx(dir: string): Promise<Subject | undefined> {
  if (!(await installed())) return undefined
  const [port, root] = [await freePort(), join(dir, 'nginx')]
  await mkdir(join(root, 'files'), { recursive: true })
  await writeFile(join(root, 'nginx.conf'), config(root, port))
  const child = spawn(NGINX, ['-c', join(root, 'nginx.conf'), '-p', root], { stdio: 'inherit' })
  await pause(500)
  const url = `http://127.0.0.1:${port}`
  const put = (file: string) => ['-T', file, `${url}/put`]
  return {
    name: 'nginx',
    pid: await childOf(child.pid ?? 0),
    files: join(root, 'files'),
    download: (name) => `${url}/${name}`,
    upload: put,
    put,
    resume: async (file) => put(file),
    forget: async () => undefined,
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
  await run('apt-get', ['install', '-y', '--no-install-recommends', 'nginx-light']).catch(() => undefined)
  return has()
}

const config = (root: string, port: number) => `
user root;
daemon off;
worker_processes 1;
pid ${root}/pid;
error_log ${root}/error.log;
events { worker_connections 512; }
http {
  access_log off;
  sendfile on;
  tcp_nopush on;
  client_max_body_size 0;
  client_body_buffer_size 1m;
  client_body_temp_path ${root}/tmp;
  server {
    listen 127.0.0.1:${port};
    root ${root}/files;
    dav_methods PUT DELETE;
  }
}
`
