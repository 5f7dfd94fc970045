import { maintenanceCommands, MAINTENANCE_USAGE } from './data-commands'
import { ADMIN_USAGE, adminCommands } from './host-commands'

/** What the command line does beside hosting, by the name of the command. Each returns the exit code. */
export const commands = { ...maintenanceCommands, ...adminCommands }

export const USAGE = `Usage:
serve [--port N] [--host ADDRESS] [--data FOLDER] [--public-url URL]
      [--https | --cert FILE --key FILE]   (by a certificate that this host makes, or by your own)
      [--trust-proxy ADDRESSES]   (IP addresses or networks of proxies, with commas between)
      [--log-level error|warn|info|debug]
      [--start-empty]   (once, in a data folder that you have emptied yourself)
      [--no-rate-limits] [--checkpoint-bytes N] [--check-replies] [--lock-silence-ms N]   (for tests only)
${MAINTENANCE_USAGE}
${ADMIN_USAGE}`
