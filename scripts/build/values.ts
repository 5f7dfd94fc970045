import { runnerImport, type Plugin } from 'vite'

/**
 * Of the contract, what pages begin with. Their values are plain data: the calls, and the rows of
 * settings without their schemas.
 */
const MODULES = /[\\/]server[\\/]contract[\\/](calls|host-settings[\\/]rows)\.ts$/

/**
 * Replaces these modules by their values, so that pages begin without the rules of the contract,
 * and without the addresses of feeds and of files of releases, which no page calls.
 */
export const values = (): Plugin => ({
  name: 'values',
  apply: 'build',
  load: {
    filter: { id: MODULES },
    async handler(id) {
      const { module } = await runnerImport<Record<string, unknown>>(id, { configFile: false })
      const isNeeded = (_: string, value: unknown) => (isNeverCalled(value) ? undefined : value)
      return Object.entries(module)
        .map(([name, value]) => `export const ${name} = ${JSON.stringify(value, isNeeded)}`)
        .join('\n')
    },
  },
})

const isNeverCalled = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  'path' in value &&
  !String(value.path).startsWith('/api/')
