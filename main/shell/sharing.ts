import type { RunningServer } from '../../server'

const THIS_COMPUTER = '127.0.0.1'
const THIS_NETWORK = '0.0.0.0'

export class Sharing {
  constructor(private readonly server: RunningServer) {}

  get isOn(): boolean {
    return this.server.context.network.reach.isShared
  }

  /** Keeps the port and running transfers. Saves the choice for the next start. */
  async set(on: boolean): Promise<void> {
    const host = on ? THIS_NETWORK : THIS_COMPUTER
    const { settings } = this.server.context.data
    await this.server.listen(host, this.server.bound().port, settings.get().shared_addresses)
    await settings.update({ host })
  }
}
