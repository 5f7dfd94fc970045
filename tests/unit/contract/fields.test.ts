import { expect, test } from 'vitest'
import { filename, line, text } from '../../../server/contract/fields'

test.each([line(20), text(20), filename()])(
  'texts have one spelling, and no half characters',
  (schema) => {
    expect(schema.parse('U\u0308n\u200b')).toBe('Ün')
    expect(schema.parse('a\ud83d')).toBe('a\ufffd')
  },
)
