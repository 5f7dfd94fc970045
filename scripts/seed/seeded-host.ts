import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startServer, type ServerConfig } from '../../server/index'
import { plant, type Planted } from './plant'

const uiDir = process.env['SLIPWAY_UI_DIR'] ?? join(import.meta.dirname, '../../dist/renderer')

export interface SeededHost extends Planted {
  url: string
  close(): Promise<void>
}

export async function seededHost(own: Partial<ServerConfig> = {}): Promise<SeededHost> {
  const dataDir = await mkdtemp(join(tmpdir(), 'slipway-seeded-'))
  const host = await startServer({
    dataDir,
    uiDir,
    host: '127.0.0.1',
    port: 0,
    version: '1.0.0',
    rateLimits: false,
    ...own,
  })

  const planted = await plant(host.setupUrl() ?? '')
  return {
    ...planted,
    url: host.url,
    async close() {
      await host.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
