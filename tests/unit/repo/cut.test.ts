import { build } from 'vite'
import { expect, test } from 'vitest'
import { cut } from '../../../scripts/build/cut'

/** What a build of this code has after a cut of its warnings. */
const built = (code: string) =>
  build({
    configFile: false,
    logLevel: 'silent',
    plugins: [
      { name: 'library', resolveId: (id) => (id === 'library' ? id : null), load: () => code },
      cut({
        what: 'its warnings',
        module: /^library$/,
        text: /globalThis.hasWarnings = true;/,
        by: '',
      }),
    ],
    build: { write: false, minify: false, rolldownOptions: { input: 'library' } },
  })

test('a build fails when a library no longer has what the build cuts out', async () => {
  const result = await built('globalThis.hasWarnings = true;\nglobalThis.isThere = 1')
  const text = JSON.stringify(result)
  expect(text).toContain('isThere')
  expect(text).not.toContain('hasWarnings')

  await expect(built('globalThis.isThere = 1')).rejects.toThrow(
    'The build cannot cut out its warnings: no module at /^library$/ has /globalThis.hasWarnings = true;/.',
  )
})
