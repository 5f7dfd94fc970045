/** The first descriptor that systemd passes (sd_listen_fds(3)). */
const FIRST = 3

/**
 * Returns the descriptor of the socket that systemd listens on for this process (socket activation,
 * sd_listen_fds(3)); undefined: it passed none. Removes the variables, so that no other program
 * takes the socket for its own. Throws when there are several.
 */
export function takePassedSocket(env: NodeJS.ProcessEnv, pid: number): number | undefined {
  const { LISTEN_PID: owner, LISTEN_FDS: count = '0' } = env
  delete env['LISTEN_PID']
  delete env['LISTEN_FDS']
  if (owner !== String(pid) || count === '0') return undefined
  if (count === '1') return FIRST
  throw new Error(
    `slipway.socket names ${count} addresses, and the host takes one: [::]:4780 is all of them`,
  )
}
