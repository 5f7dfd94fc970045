import { createReadStream } from 'node:fs'
import { Upload } from 'tus-js-client'

/**
 * Run as a program on a machine of a test network: `tus-upload-worker.ts PATH URL KEY` uploads a
 * file as pages do, and prints how many bytes have gone, each retry, and the end.
 */
const [path = '', url = '', key = ''] = process.argv.slice(2)
const say = (line: string) => void process.stdout.write(`${line}\n`)

new Upload(createReadStream(path), {
  endpoint: `${url}/api/uploads`,
  headers: { 'x-api-key': key },
  metadata: { filename: 'build.apk' },
  retryDelays: Array<number>(60).fill(250),
  onShouldRetry: (error) => {
    say(`retry ${error.message.split('\n')[0] ?? ''}`)
    return true
  },
  onProgress: (sent) => say(`sent ${sent}`),
  onSuccess: () => say('done'),
  onError: (error) => {
    console.error(error.message)
    process.exitCode = 1
  },
}).start()
