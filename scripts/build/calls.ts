import { runnerImport, type Plugin } from 'vite'

const MODULE = /[\\/]server[\\/]contract[\\/]calls\.ts$/

/** Replaces the module of the calls by its value, which is all that a page needs of the contract to begin with. */
export const calls = (): Plugin => ({
  name: 'calls',
  apply: 'build',
  load: {
    filter: { id: MODULE },
    async handler(id) {
      const { module } = await runnerImport<typeof import('../../server/contract/calls')>(id, { configFile: false })
      return `export const calls = ${JSON.stringify(module.calls)}`
    },
  },
})
