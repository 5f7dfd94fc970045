import { realDeps, type RunningServer } from '../../server'

/** Sharing with the internet, as the tray shows it. Starting needs consent, which only the Host page asks for. */
export class Anywhere {
  constructor(private readonly server: RunningServer) {}

  /** The host account chose it, whether or not people reach the host now. */
  get isOn(): boolean {
    return this.server.context.network.internet.view().way !== 'off'
  }

  /** People outside reach the host now. */
  get isOpen(): boolean {
    const { state } = this.server.context.network.internet.view()
    return state === 'open' || state === 'tunnel_open'
  }

  onChange(listener: () => void): void {
    this.server.context.network.internet.onChange(listener)
  }

  async stop(): Promise<void> {
    const { network, accounts } = this.server.context
    const { way } = network.internet.view()
    if (way === 'off') return
    try {
      await network.internet.close()
      accounts.audit.recordHost({ kind: 'internet_close', subject: way })
    } catch (err) {
      realDeps.log.error({ err }, 'cannot stop sharing with the internet')
    }
  }
}
