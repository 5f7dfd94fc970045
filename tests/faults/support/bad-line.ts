import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { Transform } from 'node:stream'
import { openNetwork } from '../../support/machines/network'
import { run } from '../../support/system/debian'

const NETEM = 'tc qdisc add dev eth0 root netem loss 3% delay 100ms rate 1mbit'.split(' ')

/** A bad mobile connection: 3 % loss, 200 ms round trip, 1 Mbit/s. */
export interface BadLine {
  /** The words that start a program on the host's end. */
  enter: string[]
  /** Where the host listens. */
  address: string
  /** curl at the visitor's end, for a path of this host. */
  curl(url: string, path: string, ...args: string[]): Promise<unknown>
  close(): void
}

/** By the kernel between two network namespaces where it can; elsewhere by a relay that does the same above TCP. */
export async function badLine(): Promise<BadLine> {
  return (await byKernel()) ?? (await byRelay())
}

async function byKernel(): Promise<BadLine | undefined> {
  const network = openNetwork()
  const { host, visitor } = network
  const enter = (words: readonly string[], ...more: string[]) => run('env', [...words, ...more])
  try {
    if (network.kind === 'one machine') throw new Error('network namespaces need root on Linux')
    await Promise.all([enter(host.enter, ...NETEM), enter(visitor.enter, ...NETEM)])
  } catch {
    network.close()
    return undefined
  }
  return {
    enter: [...host.enter],
    address: host.address,
    curl: (url, path, ...args) => enter(visitor.enter, 'curl', '-sS', '--fail', ...args, url + path),
    close: () => network.close(),
  }
}

async function byRelay(): Promise<BadLine> {
  let hostPort = 0
  const relay = createServer((near) => {
    const far = connect(hostPort, '127.0.0.1')
    join(near, far)
    join(far, near)
  })
  await once(relay.listen(0, '127.0.0.1'), 'listening')
  const { port } = relay.address() as AddressInfo
  return {
    enter: [],
    address: '127.0.0.1',
    curl(url, path, ...args) {
      const { host, port: theirs } = new URL(url)
      hostPort = Number(theirs)
      return run('curl', ['-sS', '--fail', '-H', `Host: ${host}`, ...args, `http://127.0.0.1:${port}${path}`])
    },
    close: () => void relay.close(),
  }
}

/** One direction, in packets: 100 ms on the way, 12 ms each at 1 Mbit/s, and every 33rd is sent once more. */
function join(from: Socket, to: Socket): void {
  let packets = 0
  const line = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const sent = Math.ceil(chunk.length / 1500)
      const lost = Math.floor((packets + sent) / 33) - Math.floor(packets / 33)
      packets += sent
      setTimeout(() => this.push(chunk), sent * 12 + lost * 200 + 100)
      setTimeout(done, sent * 12 + lost * 200)
    },
    flush: (done) => void setTimeout(done, 100),
  })
  from.pipe(line).pipe(to)
  from.on('error', () => to.destroy()).on('close', () => line.end())
}
