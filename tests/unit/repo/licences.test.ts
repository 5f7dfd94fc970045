import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { librariesInVips } from '../../../scripts/build/libraries-in-wasm'

const FOLDER = 'node_modules/wasm-vips'

/** They name a few libraries by other names than their versions do. */
const OTHER_NAMES: Record<string, string> = { lcms: 'lcms2' }
/** In vips-jxl.wasm and vips-resvg.wasm, which do not ship. */
const NOT_SHIPPED = ['libjxl', 'resvg']

test('the licences name each library in the notices of wasm-vips that ships', async () => {
  const notices = await readFile(`${FOLDER}/THIRD-PARTY-NOTICES.md`, 'utf8')
  const rows = [...notices.matchAll(/^\| ([a-z][\w-]*) +\|/gm)].map(([, name = '']) => name)
  expect(rows).toHaveLength(22)

  const named = (await librariesInVips(FOLDER)).map(({ name }) => name)
  expect([...named, ...NOT_SHIPPED].sort()).toEqual(
    rows.map((name) => OTHER_NAMES[name] ?? name).sort(),
  )
})
