import { createPublicKey, type KeyObject } from 'node:crypto'
import { udid as udidSchema } from '../../contract/files/device-list'
import { AppError } from '../../core/errors'
import { readXml } from '../../core/xml'

/** What a device says of itself. */
export interface DeviceAnswer {
  /** In lower case. */
  udid: string
  /** `iPhone15,2` */
  model: string
  /** Of the profile. */
  challenge: string
  /** Whether Apple's authority issued the certificate that signed it. */
  isConfirmed: boolean
}

const FIELDS = ['UDID', 'PRODUCT', 'CHALLENGE']
const MODEL = /^(?:iPhone|iPad|iPod)\d{1,3},\d{1,3}$/

/**
 * The key of "Apple iPhone Device CA", which issues the certificates inside devices ("Over-the-Air
 * Profile Delivery and Configuration", Apple).
 */
const APPLE = createPublicKey({
  key:
    'MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQDxlErJ6rpaGGCty6JNTU5UGWkXWQdmy5foZppHX0auZ3q1SnNU' +
    'scsE9r02uAxVOIqEgzFSZfkz4Zd3nCtMJrAlP+kyqnsIdJTswUs4HWdOCFKUWotZo1zXk/Sg/lWFu0xGl15usndF' +
    'L2dcvAsYv1m5bIb3KnV20hlx9CljuSULrwIDAQAB',
  format: 'der',
  type: 'spki',
  encoding: 'base64',
})

/**
 * Reads what a device answers to a profile: a property list in a signed message (CMS). Throws
 * `invalid_input` if it is not signed, or of another kind of device.
 */
export async function readAnswer(
  body: Buffer,
  authority: KeyObject = APPLE,
): Promise<DeviceAnswer> {
  // Its ASN.1 types are large.
  const { openSignedMessage } = await import('../../libraries/certificates/signed-message')

  try {
    const { content, signer } = openSignedMessage(body)
    const values = readTexts(content.toString())
    const [udid, model = '', challenge = ''] = FIELDS.map((name) => values.get(name))
    if (!MODEL.test(model)) throw new AppError('invalid_input', ONLY_PHONES)

    const isConfirmed = signer.verify(authority)
    return { udid: udidSchema.parse(udid), model, challenge, isConfirmed }
  } catch (cause) {
    if (cause instanceof AppError) throw cause
    throw new AppError(
      'invalid_input',
      'This is not the signed answer of an iPhone or iPad to the profile',
    )
  }
}

/** Reads the texts of a property list by their keys; devices send a dictionary of texts only. */
function readTexts(plist: string): ReadonlyMap<string, string> {
  const texts = new Map<string, string>()
  let key = ''
  readXml(plist, {
    close: ({ name, text }) => {
      if (name === 'key') key = text
      if (name === 'string') texts.set(key, text)
    },
  })
  return texts
}

const ONLY_PHONES = 'This profile is for iPhones and iPads only'
