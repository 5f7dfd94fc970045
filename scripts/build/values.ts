import { runnerImport, type Plugin } from 'vite'

const MODULE = /[\\/]server[\\/]contract[\\/]calls\.ts$/

/**
 * Replaces the module of the calls by its value, which is all that a page needs of the contract to
 * begin with: without the addresses of feeds and of files of releases, which no page calls.
 */
export const calls = (): Plugin => ({
  name: 'calls',
  apply: 'build',
  load: {
    filter: { id: MODULE },
    async handler(id) {
      const { module } = await runnerImport<typeof import('../../server/contract/calls')>(id, {
        configFile: false,
      })
      const isCalled = (_: string, value: unknown) => (isAddress(value) ? undefined : value)
      return `export const calls = ${JSON.stringify(module.calls, isCalled)}`
    },
  },
})

const isAddress = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  'path' in value &&
  !String(value.path).startsWith('/api/')
