import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, createServer, type AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'

/**
 * Run as a program: `relay.ts WORDS… -- PROGRAM ARGUMENTS…` starts the app on another machine of
 * the test network (`WORDS` enter it) and makes the ports on which it wants to be driven reachable
 * at ours. With `--to PORT` it is the other end: it runs over there and connects its own input and
 * output to that port.
 */
const words = process.argv.slice(2)
if (words[0] === '--to') connectTo(Number(words[1]))
else await start(words)

function connectTo(port: number): void {
  const socket = connect(port, '127.0.0.1')
  process.stdin.pipe(socket)
  socket.pipe(process.stdout)
  socket.on('close', () => process.exit())
  socket.on('error', () => process.exit(1))
}

async function start(args: readonly string[]): Promise<void> {
  const border = args.indexOf('--')
  const enter = args.slice(0, border)
  const child = spawn('env', [...enter, ...args.slice(border + 1)], {
    stdio: ['inherit', 'inherit', 'pipe'],
  })
  process.on('SIGTERM', () => child.kill('SIGTERM'))
  for await (const line of createInterface(child.stderr)) {
    process.stderr.write(`${await translated(line, enter)}\n`)
  }
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  process.exit(child.exitCode ?? 1)
}

/** A line that names a port over there names ours instead. */
async function translated(line: string, enter: readonly string[]): Promise<string> {
  const port = / listening on ws:\/\/127\.0\.0\.1:(\d+)\//.exec(line)?.[1]
  return port === undefined ? line : line.replace(port, String(await opened(enter, Number(port))))
}

/** A local port that forwards to a remote one. */
async function opened(enter: readonly string[], port: number): Promise<number> {
  const server = createServer((socket) => {
    const otherEnd = [process.execPath, import.meta.filename, '--to', String(port)]
    const there = spawn('env', [...enter, ...otherEnd], { stdio: ['pipe', 'pipe', 'inherit'] })
    socket.pipe(there.stdin)
    there.stdout.pipe(socket)
    socket.on('error', () => there.kill())
    socket.on('close', () => there.kill())
    there.on('exit', () => socket.destroy())
    there.stdin.on('error', () => socket.destroy())
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return (server.address() as AddressInfo).port
}
