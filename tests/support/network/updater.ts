import type { AppUpdater } from 'electron-updater'
import { GenericProvider } from 'electron-updater/out/providers/GenericProvider.js'
import { findFile, type ProviderRuntimeOptions } from 'electron-updater/out/providers/Provider.js'

type Executor = ProviderRuntimeOptions['executor']
type Platform = ProviderRuntimeOptions['platform']

/**
 * The part of electron-updater that reads a feed and chooses a file of it, with requests by
 * `fetch`.
 */
export function electronUpdater(url: string, platform: Platform, channel: string | null = null) {
  const executor = {
    async request({ hostname, port, path }: { hostname: string; port: number; path: string }) {
      const response = await fetch(`http://${hostname}:${port}${path}`)
      if (!response.ok) throw new Error(`${response.status}`)
      return response.text()
    },
  }
  const updater = { channel, isAddNoCacheQuery: true } as unknown as AppUpdater
  const options = {
    platform,
    isUseMultipleRangeRequest: true,
    executor: executor as unknown as Executor,
  }
  const provider = new GenericProvider({ provider: 'generic', url }, updater, options)
  return {
    latest: () => provider.getLatestVersion(),
    /** The address of the file that it would download. */
    async chosen(extension: string): Promise<string> {
      const info = await provider.getLatestVersion()
      return findFile(provider.resolveFiles(info), extension)?.url.href ?? ''
    },
    /** The addresses of the block maps, of the installed version and the newest one. */
    async blockMaps(extension: string, installed: string): Promise<string[]> {
      const info = await provider.getLatestVersion()
      const { url } = findFile(provider.resolveFiles(info), extension)!
      return (await provider.getBlockMapFiles(url, installed, info.version)).map(({ href }) => href)
    },
  }
}
