import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { filesInArguments } from '../../../main/files/file-arguments'
import { readOptions } from '../../../main/start/options'
import { defaultDataDir } from '../../../server/data/folder/default'

const library = resolve('/library')
const read = (...args: string[]) => readOptions(['electron', ...args])

test('without options, the app uses the library of the headless host, with the profile beside it', () => {
  const dataDir = defaultDataDir()
  expect(read('--inspect=0', '--no-sandbox', '/some/app')).toEqual({
    dataDir,
    profileDir: join(dataDir, 'window'),
    logLevel: 'info',
    choices: {},
  })
})

test('--data names the library, in both ways of writing it; --user-data-dir does so too', () => {
  for (const args of [['--data', '/library'], ['--data=/library'], ['--user-data-dir=/library']]) {
    expect(read('/some/app', ...args)).toMatchObject({
      dataDir: library,
      profileDir: join(library, 'window'),
    })
  }
  expect(read('--user-data-dir=/other', '--data=/library')).toMatchObject({ dataDir: library })
})

test('the words of the headless host mean the same', () => {
  const args = [
    '--data=/library',
    '--host',
    '0.0.0.0',
    '--port=0',
    '--public-url',
    'https://builds.example/',
  ]
  const choices = { host: '0.0.0.0', port: 0, publicUrl: 'https://builds.example' }
  expect(read(...args, '--trust-proxy', '10.0.0.2,10.1.0.0/16').choices).toEqual({
    ...choices,
    trustProxy: ['10.0.0.2', '10.1.0.0/16'],
  })
  const https = { https: 'local', https_certificate: '', https_key: '', https_redirect: true }
  expect(read('--https').choices).toEqual({ https })
  for (const args of [['--https', 'public', '/some/app'], ['--https=public']]) {
    expect(read(...args).choices).toEqual({ https: { ...https, https: 'public' } })
  }
  const own = {
    ...https,
    https: 'own',
    https_certificate: resolve('a.crt'),
    https_key: resolve('a.key'),
  }
  expect(read('--cert', 'a.crt', '--key=a.key').choices).toEqual({ https: own })
})

test('a value that makes no sense is named', () => {
  expect(() => read('--data')).toThrow('--data needs a value')
  expect(() => read('--port', 'many')).toThrow('--port takes a number from 0 to 65535, not many')
  expect(() => read('--public-url', 'ftp://x')).toThrow('--public-url takes an address such as')
  expect(() => read('--trust-proxy', 'proxy.example')).toThrow(
    '--trust-proxy takes IP addresses or networks',
  )
  expect(() => read('--cert', 'a.crt')).toThrow('--cert and --key go together')
  expect(() => read('--https=yes')).toThrow('--https takes local or public, not yes')
  expect(() => read('--no-rate-limits')).toThrow(
    '--no-rate-limits works only with the headless host',
  )
})

test('--smoke names the file of its result, which is not a file to open', () => {
  expect(read('--smoke', 'out.json')).toMatchObject({ smoke: resolve('out.json') })
  expect(
    filesInArguments({ argv: ['slipway', '--smoke', 'out.json'], cwd: '/', program: undefined }),
  ).toEqual([])
})
