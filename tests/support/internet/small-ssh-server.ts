import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import ssh2 from 'ssh2'
import { onTestFinished } from 'vitest'

/**
 * A real SSH server on loopback for one test. It accepts each key and forwards ports, or says so
 * only.
 */
export class SmallSshServer {
  /**
   * Whether it listens for visitors; else it reports success only, as sshd does with
   * `GatewayPorts no`.
   */
  isListening = true
  /** Whether it accepts keys. */
  isOpen = true
  readonly #server: ssh2.Server
  readonly #listeners = new Set<Server>()
  readonly #sockets = new Set<Socket>()

  private constructor() {
    const hostKeys = [
      generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({
        type: 'pkcs1',
        format: 'pem',
      }),
    ]
    this.#server = new ssh2.Server({ hostKeys }, (client) => this.#serve(client))
  }

  static async open(): Promise<SmallSshServer> {
    const small = new SmallSshServer()
    onTestFinished(() => {
      small.cut()
      small.#server.close()
    })
    small.#server.listen(0, '127.0.0.1')
    await once(small.#server, 'listening')
    return small
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  /** Ends all sessions, and what they forward. */
  cut(): void {
    for (const listener of this.#listeners) listener.close()
    this.#listeners.clear()
    for (const socket of this.#sockets) socket.destroy()
    this.#sockets.clear()
  }

  #serve(client: ssh2.Connection): void {
    const socket = (client as unknown as { _sock: Socket })._sock
    this.#sockets.add(socket)
    client.on('error', () => undefined)
    client.on('authentication', (asked) => (this.isOpen ? asked.accept() : asked.reject()))
    client.on('request', (accept, _reject, name, info) => {
      if (name !== 'tcpip-forward' || !('bindPort' in info)) return accept?.()
      if (!this.isListening) return accept?.()
      const listener = createServer((visitor) => {
        const { remoteAddress = '', remotePort = 0 } = visitor
        visitor.on('error', () => undefined)
        client.on('close', () => visitor.destroy())
        client.forwardOut(
          info.bindAddr,
          info.bindPort,
          remoteAddress,
          remotePort,
          (error, channel) => {
            if (error) return visitor.destroy()
            channel.on('error', () => undefined)
            visitor.pipe(channel).pipe(visitor)
          },
        )
      })
      this.#listeners.add(listener)
      client.on('close', () => listener.close())
      listener.listen(info.bindPort, '127.0.0.1', () => accept?.())
    })
  }
}
