import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { isAbsolute } from 'node:path'
import { AppError } from '../../core/errors'
import { errorCode } from '../../core/durable-file'
import type { SettingsData } from '../../data/settings/settings-schema'
import type { Pair } from '../../libraries/certificates/certificate'

/** Absolute paths of PEM files. */
type PairFiles = Pick<SettingsData, 'https_certificate' | 'https_key'>

type Field = keyof PairFiles

/** Reads a certificate chain and its key. Throws `invalid_input` with the field of the file. */
export async function readPair(files: PairFiles, now: Date): Promise<Pair> {
  const certificate = await read(files.https_certificate, 'https_certificate', 'certificate')
  const key = await read(files.https_key, 'https_key', 'key')

  const parsed = parseCertificate(certificate)
  const privateKey = parseKey(key)
  const from = new Date(parsed.validFrom)
  const until = new Date(parsed.validTo)

  if (until <= now) throw wrong('https_certificate', `The certificate expired on ${dayOf(until)}`)
  if (from > now)
    throw wrong('https_certificate', `The certificate is not valid before ${dayOf(from)}`)
  if (!parsed.checkPrivateKey(privateKey))
    throw wrong('https_key', 'The key does not belong to the certificate')

  const { createSecureContext } = await import('node:tls')
  try {
    createSecureContext({ cert: certificate, key })
  } catch {
    throw wrong('https_certificate', 'The certificate cannot be used for HTTPS')
  }
  return { certificate, key }
}

async function read(path: string, field: Field, what: string): Promise<string> {
  if (path === '') throw wrong(field, `Enter the path of the ${what}`)
  if (!isAbsolute(path)) throw wrong(field, 'Enter the full path of the file')
  return readFile(path, 'utf8').catch((error: unknown) => {
    const code = errorCode(error)
    if (code === 'ENOENT') throw wrong(field, `There is no file ${path}`)
    throw wrong(field, `${path} cannot be read (${code ?? 'unknown error'})`)
  })
}

function parseCertificate(text: string): X509Certificate {
  try {
    return new X509Certificate(text)
  } catch {
    throw wrong('https_certificate', 'The file contains no certificate in PEM form')
  }
}

function parseKey(text: string): KeyObject {
  if (/ENCRYPTED/.test(text))
    throw wrong('https_key', 'The key has a password: store it without one')
  try {
    return createPrivateKey(text)
  } catch {
    throw wrong('https_key', 'The file contains no private key in PEM form')
  }
}

const wrong = (field: Field, message: string) => new AppError('invalid_input', message, field)
const dayOf = (date: Date) => date.toISOString().slice(0, 10)
