import { expect, test } from 'vitest'
import { openText, sealText } from '../../../server/access/sealed-text'

const KEY = 'k'.repeat(64)

test('a sealed text opens by a key of the host only, and unchanged', () => {
  const sealed = sealText([KEY], 'secret')
  expect(openText(['another', KEY], sealed)).toBe('secret')
  expect(openText(['another'], sealed)).toBeUndefined()

  const bytes = Buffer.from(sealed, 'base64url')
  bytes.writeUInt8(bytes.readUInt8(bytes.length - 1) ^ 1, bytes.length - 1)
  expect(openText([KEY], bytes.toString('base64url'))).toBeUndefined()
})

test('a tag that was cut to four bytes opens nothing', () => {
  const empty = Buffer.from(sealText([KEY], ''), 'base64url')
  expect(openText([KEY], empty.toString('base64url'))).toBe('')
  expect(openText([KEY], empty.subarray(0, 16).toString('base64url'))).toBeUndefined()
})
