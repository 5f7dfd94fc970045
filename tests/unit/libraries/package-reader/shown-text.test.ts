import { expect, test } from 'vitest'
import { toShown } from '../../../../server/libraries/package-reader/shown-text'

test.each([
  ['می\u200cخواهم', 'می\u200cخواهم'],
  ['👩\u200d💻 Dev', '👩\u200d💻 Dev'],
  ['exe\u202egpj\u0007', 'exe gpj'],
  ['\u200c \u200d', null],
  [`${'x'.repeat(19)}😀`, 'x'.repeat(19)],
])('%j is shown as %j', (text, shown) => expect(toShown(text, 20)).toBe(shown))
