import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { metricsFrom } from '../../../server/cli/metrics-options'
import { tempDir } from '../../support/system/temp-dir'

test('a token has at least 32 characters, without spaces', async () => {
  const file = join(await tempDir(), 'token')
  const read = async (token: string) => {
    await writeFile(file, `${token}\n`)
    return metricsFrom({ 'metrics-token-file': file }).metrics?.token
  }

  expect(await read('x'.repeat(32))).toBe('x'.repeat(32))
  expect(() => metricsFrom({ 'metrics-token-file': '/no/such/file' })).toThrow('no such file')
  await expect(read('x'.repeat(31))).rejects.toThrow(
    'at least 32 characters; make one with: openssl rand -hex 32',
  )
  await expect(read(`${'x'.repeat(31)} ${'x'.repeat(31)}`)).rejects.toThrow(
    'at least 32 characters',
  )
})

test('a host needs a port, which is a number', () => {
  expect(() => metricsFrom({ 'metrics-host': '0.0.0.0' })).toThrow(
    '--metrics-host needs --metrics-port',
  )
  expect(() => metricsFrom({ 'metrics-port': 'http' })).toThrow(
    '--metrics-port takes a number from 0 to 65535, not http',
  )
})
