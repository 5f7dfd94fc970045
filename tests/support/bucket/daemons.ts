import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { run, unpacked } from '../system/debian'

/** Ceph's programs, and the folder of one cluster. */
export interface Ceph {
  dir: string
  env: NodeJS.ProcessEnv
  program: (name: string) => string
}

/** A started program, and what it has written. */
export interface Daemon {
  process: ChildProcess
  said: () => string
}

/** `ports`: of the gateway, and two of the monitor. */
export async function prepareCeph(dir: string, ports: readonly number[]): Promise<Ceph> {
  const { ceph } = await unpacked('ceph')
  const folders = ceph.env.LD_LIBRARY_PATH.split(':')
  // Its own libraries stand one folder deeper.
  const libraries = [...folders, ...folders.map((folder) => join(folder, 'ceph'))].join(':')
  const config = join(dir, 'ceph.conf')
  await Promise.all(['mon', 'osd', 'rgw', 'log'].map((name) => mkdir(join(dir, name))))
  await writeFile(config, configuration(dir, ports, folders[0] ?? ''))
  return {
    dir,
    env: { ...process.env, LD_LIBRARY_PATH: libraries, CEPH_CONF: config },
    program: (name) => ceph.file(`usr/bin/${name}`),
  }
}

/**
 * One monitor and one OSD, which keeps objects in memory. The first OSD map has the OSD already, so
 * that Ceph's command line, which needs Python, is not needed.
 */
export async function startCluster(ceph: Ceph, ports: readonly number[]): Promise<Daemon[]> {
  const [monmap, osdmap] = [join(ceph.dir, 'monmap'), join(ceph.dir, 'osdmap')]
  const addresses = `[v2:127.0.0.1:${ports[1]},v1:127.0.0.1:${ports[2]}]`
  const tool = (name: string, ...args: string[]) => run(ceph.program(name), args, { env: ceph.env })
  await tool(
    'monmaptool',
    '--create',
    '--fsid',
    crypto.randomUUID(),
    '--addv',
    'a',
    addresses,
    monmap,
  )
  await tool('osdmaptool', '--createsimple', '1', osdmap)
  await tool('ceph-mon', '--mkfs', '-i', 'a', '--monmap', monmap, '--osdmap', osdmap)
  const monitor = startDaemon(ceph, 'ceph-mon', '-i', 'a')
  await tool('ceph-osd', '-i', '0', '--mkfs', '--osd-uuid', crypto.randomUUID())
  // The gateway insists on this file, though no connection asks for a key.
  await tool(
    'ceph-authtool',
    '--create-keyring',
    join(ceph.dir, 'rgw/keyring'),
    '--gen-key',
    '-n',
    'client.rgw',
  )
  return [monitor, startDaemon(ceph, 'ceph-osd', '-i', '0')]
}

/** In the foreground, so that its process ID is known. It also ends after SIGKILL of the tests. */
export function startDaemon({ program, env }: Ceph, name: string, ...args: string[]): Daemon {
  const words = ['setpriv', '--pdeathsig', 'KILL', 'nice', '-n', '5', program(name), ...args, '-f']
  const child = spawn('env', words, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (bytes) => (said += String(bytes)))
  return { process: child, said: () => said }
}

export const isRunning = ({ process: { exitCode, signalCode } }: Daemon): boolean =>
  exitCode === null && signalCode === null

export async function endDaemon(daemon: Daemon): Promise<void> {
  if (!isRunning(daemon)) return
  daemon.process.kill('SIGKILL')
  await once(daemon.process, 'exit')
}

/**
 * Without keys between its parts, one copy of each object, small parts of uploads, and without the
 * pauses that spare a large cluster.
 */
function configuration(
  dir: string,
  [gateway, v2, v1]: readonly number[],
  libraries: string,
): string {
  return `[global]
mon_host = [v2:127.0.0.1:${v2},v1:127.0.0.1:${v1}]
mon_initial_members = a
public_addr = 127.0.0.1
cluster_addr = 127.0.0.1
auth_cluster_required = none
auth_service_required = none
auth_client_required = none
ms_mon_client_mode = crc
run_dir = ${dir}
admin_socket =
log_file = ${dir}/log/$name.log
mon_cluster_log_file = ${dir}/log/cluster.log
osd_class_dir = ${libraries}/rados-classes
plugin_dir = ${libraries}/ceph
erasure_code_dir = ${libraries}/ceph/erasure-code
mon_data = ${dir}/mon
osd_data = ${dir}/osd
rgw_data = ${dir}/rgw
paxos_propose_interval = 0.02
paxos_min_wait = 0.01
mon_tick_interval = 1
mon_allow_pool_size_one = true
mon_max_pg_per_osd = 1000
mon_data_avail_warn = 1
mon_data_avail_crit = 1
mon_osd_report_timeout = 3600
osd_objectstore = memstore
memstore_device_bytes = 8589934592
osd_crush_chooseleaf_type = 0
osd_heartbeat_grace = 600
osd_pool_default_size = 1
osd_pool_default_min_size = 1
osd_pool_default_pg_num = 1
osd_pool_default_pgp_num = 1
osd_pool_default_pg_autoscale_mode = off
rgw_frontends = beast endpoint=127.0.0.1:${gateway}
objecter_tick_interval = 0.5
rgw_dns_name = localhost
rgw_cache_enabled = false
rgw_gc_obj_min_wait = 5
rgw_multipart_min_part_size = 1024
rgw_enable_ops_log = true
rgw_ops_log_rados = false
rgw_ops_log_file_path = ${dir}/log/requests.jsonl
rgw_log_http_headers = http_x_api_key, http_authorization, http_cookie, http_range, http_if_range, http_user_agent
`
}
