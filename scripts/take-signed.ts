import { takeSigned } from './package/take-signed'

/** `tsx scripts/take-signed.ts SIGNED RELEASE`: after a service has signed the installers. */
const [signed = '', release = ''] = process.argv.slice(2)
console.log(`Signed: ${(await takeSigned(signed, release)).join(', ')}`)
