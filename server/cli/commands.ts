import { CLUSTER_USAGE, runCluster } from '../cluster/cluster-command'
import { maintenanceCommands, MAINTENANCE_USAGE } from './data-commands'
import { ADMIN_USAGE, adminCommands } from './host-commands'
import { sharingSettings } from '../contract/host-settings/sharing'
import { INTERNET_USAGE } from './internet-options'
import { METRICS_USAGE } from './metrics-options'
import { BUCKET_USAGE } from './bucket-options'
import { usageOf } from './options'

/** The commands besides `serve`, by name. Each returns the exit code. */
export const commands: Readonly<Record<string, (args: string[]) => Promise<number>>> = {
  ...maintenanceCommands,
  ...adminCommands,
  cluster: runCluster,
}

export const USAGE = `Usage:
serve [--data FOLDER] [--host ADDRESS] ${usageOf(sharingSettings)}
                                 (ADDRESSES: IP addresses or networks of proxies,
                                 separated by commas)
      [--https [public] | --cert FILE --key FILE]
                                 (with a generated certificate, or with yours;
                                 public: for its name or address also with the
                                 certificate of --share internet)
${INTERNET_USAGE}
${METRICS_USAGE}
${BUCKET_USAGE}
      [--log-level error|warn|info|debug]
      [--drain TIME]   (under slipway.socket of systemd: how long downloads continue
                                  after a restart; 15m if not given)
      [--cluster FILE]   (one of several hosts, with the library in PostgreSQL and the
                                  bytes in a bucket)
      [--demo]   (to try it: with content and accounts for everyone, in a folder of its
                                  own that is reset each hour; allows no changes of the host)
      [--start-empty]   (once, after you emptied the data folder or gave up its library)
      [--no-rate-limits] [--checkpoint-bytes N] [--check-replies] [--lock-silence-ms N]
      [--password-cost N] [--demo-ms=N]   (for tests only)
${MAINTENANCE_USAGE}
${ADMIN_USAGE}
${CLUSTER_USAGE}
login, push, verify FILE, promote, withdraw, rollout, keep, latest, projects, files
                                       publish on a host, also another one: push --help`
