import { expect, test } from 'vitest'
import { filename, line, text } from '../../../server/contract/fields'

test.each([line(40), text(40), filename()])(
  'texts have one spelling, and no half characters',
  (schema) => {
    expect(schema.parse('U\u0308n\u200b')).toBe('Ün')
    expect(schema.parse('a\ud83d')).toBe('a\ufffd')
    expect(schema.parse(`a${'\u0327'.repeat(30_000)}b`).length).toBeLessThan(33)
  },
)
