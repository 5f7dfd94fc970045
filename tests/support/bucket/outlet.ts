import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Server } from 'node:net'
import { sharedEngine } from './engine'

/** On its machine: listens, and gives what listens to its parent. */
const LISTEN = `const [port, host] = process.argv.slice(1)
const own = require('node:net').createServer().listen(Number(port), host, () => process.send('', own, () => process.exit()))`

/**
 * Lets a machine of a test network reach the object store of this worker at one of its own
 * addresses, until the server that it returns is closed. `enter`: the words before a command of
 * that machine.
 */
export async function bucketAt(
  enter: readonly string[],
  { host, port }: { host: string; port: number },
): Promise<Server> {
  const store = new URL((await sharedEngine()).endpoint)
  const [command = '', ...words] = enter
  const listener = spawn(command, [...words, process.execPath, '-e', LISTEN, String(port), host], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const [, outlet] = (await once(listener, 'message')) as [string, Server]

  outlet.on('connection', (near) => {
    const far = connect(Number(store.port), store.hostname)
    near.pipe(far).pipe(near)
    near.on('error', () => far.destroy())
    far.on('error', () => near.destroy())
  })
  return outlet
}
