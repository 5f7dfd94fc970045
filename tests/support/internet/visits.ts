import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { run } from '../system/debian'
import type { Machine } from './namespaces'

/** Answers each request with the address of the visitor, as the machine sees it. */
const ECHO = `require('node:http').createServer((request, response) => response.end(request.socket.remoteAddress))
  .listen(Number(process.argv[1]), '::', function () { console.log(this.address().port) })`

/** A small web server on a machine of the lab; it ends with the lab. Returns its port. */
export async function echoOn(machine: Machine): Promise<number> {
  const words = [...machine.enter, process.execPath, '-e', ECHO, '0']
  const { stdout } = spawn('env', words, { stdio: ['ignore', 'pipe', 'inherit'] })
  const [port] = (await once(stdout, 'data')) as [Buffer]
  return Number(port.toString())
}

/** What a machine gets at this URL; undefined: nothing answers within a second. */
export async function visit(machine: Machine, url: string): Promise<string | undefined> {
  const args = [...machine.enter, 'curl', '-gsS', '--max-time', '1', url]
  return run('env', args).then(
    ({ stdout }) => stdout,
    () => undefined,
  )
}
