import { expect, test } from 'vitest'
import { endpointProblem } from '../../../../server/data/bucket/endpoint-problem'

const isOwn = (host: string, port: number) => host === 'files.example.org' && port === 443
const problem = (endpoint: string) => endpointProblem(endpoint, isOwn)

test.each([
  'https://s3.eu-central-1.amazonaws.com',
  'https://s3.example.org:9000',
  'https://files.example.org:9000',
  'http://127.0.0.1:9000',
  'http://[::1]:9000',
  'http://192.168.1.5:9000',
  'http://[fd00::5]:3900',
  'https://8.8.8.8',
])('takes %s', (endpoint) => {
  expect(problem(endpoint)).toBeUndefined()
})

test.each([
  ['http://s3.example.org', 'Use https'],
  ['http://8.8.8.8', 'Use https'],
  ['http://[2001:4860:4860::8888]', 'Use https'],
  ['https://169.254.169.254', 'No store has this address'],
  ['http://169.254.169.254', 'No store has this address'],
  ['http://0.0.0.0:9000', 'No store has this address'],
  ['https://key:secret@s3.example.org', 'Leave user name and password out'],
  ['https://s3.example.org/bucket', 'without a path'],
  ['https://s3.example.org/#x', 'without a path'],
  ['ftp://s3.example.org', 'begins with https://'],
  ['s3.example.org', 'begins with https://'],
  ['https://files.example.org', 'the address of this host'],
  ['https://files.example.org:443/', 'the address of this host'],
])('refuses %s: %s', (endpoint, why) => {
  expect(problem(endpoint)).toContain(why)
})
