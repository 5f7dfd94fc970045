import { expect, test } from 'vitest'
import { normalizeVersion } from '../../../../server/features/repositories/pip/version'

test.each([
  ['1.0a1', '1.0.0-alpha.1', 'v1a01'],
  ['1.0rc0', '1.0.c', '1-preview'],
  ['2.0.post1', '2-1', '2.0-r1'],
  ['1!1.0.dev3+cu.118', '1!1_dev3+CU_118'],
])('takes these for one version: %s', (...spellings) =>
  expect(new Set(spellings.map(normalizeVersion)).size).toBe(1),
)

test('takes these for different versions', () => {
  const versions = [
    '1.0',
    '1.0.1',
    '1.0a1',
    '1.0b1',
    '1.01a',
    '1.0.post1',
    '1.0.dev1',
    '1!1.0',
    '1.0+a',
    'other',
  ]
  expect(new Set(versions.map(normalizeVersion)).size).toBe(versions.length)
})
