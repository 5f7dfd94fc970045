/** Malformed requests. `HOST` stands for our name and port. */
export const malformedRequests: [string, string][] = [
  ['no request', 'hello\r\n\r\n'],
  ['bytes', '\x00\x01\x02\xff\xfe\r\n\r\n'],
  ['the beginning of TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n'],
  ['no version', 'GET /\r\n\r\n'],
  ['HTTP/3', 'GET / HTTP/3.0\r\nHost: HOST\r\n\r\n'],
  ['no host', 'GET / HTTP/1.1\r\n\r\n'],
  ['two hosts', 'GET / HTTP/1.1\r\nHost: evil.example\r\nHost: HOST\r\n\r\n'],
  ['a space in the path', 'GET /a b HTTP/1.1\r\nHost: HOST\r\n\r\n'],
  ['a header without a name', 'GET / HTTP/1.1\r\nHost: HOST\r\n: value\r\n\r\n'],
  ['a header over two lines', 'GET / HTTP/1.1\r\nHost: HOST\r\nX-A: a\r\n b\r\n\r\n'],
  ['a header of 100 KB', `GET / HTTP/1.1\r\nHost: HOST\r\nX-A: ${'x'.repeat(100_000)}\r\n\r\n`],
  ['5000 headers', `GET / HTTP/1.1\r\nHost: HOST\r\n${'X-A: a\r\n'.repeat(5000)}\r\n`],
  [
    'length and chunks',
    'POST /api/auth/login HTTP/1.1\r\nHost: HOST\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  ],
  [
    'two lengths',
    'POST /api/auth/login HTTP/1.1\r\nHost: HOST\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello!',
  ],
  [
    'a chunk of no size',
    'POST /api/auth/login HTTP/1.1\r\nHost: HOST\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
  ],
  ['an encoding nobody knows', 'POST /api/auth/login HTTP/1.1\r\nHost: HOST\r\nTransfer-Encoding: rot13\r\n\r\n'],
  ['an expectation nobody can meet', 'POST /api/auth/logout HTTP/1.1\r\nHost: HOST\r\nExpect: a miracle\r\n\r\n'],
  ...['*', 'foo://.x', 'http://%', 'http://[::1', 'x://', 'a://b?c'].map((target): [string, string] => [
    `for the target ${target}`,
    `GET ${target} HTTP/1.1\r\nHost: HOST\r\n\r\n`,
  ]),
  ['CONNECT', 'CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example:443\r\n\r\n'],
  ['an upgrade', 'GET /api/auth/check HTTP/1.1\r\nHost: HOST\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'],
]
