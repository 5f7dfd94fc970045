import { createHash, generateKeyPairSync, randomBytes, sign, X509Certificate, type KeyObject } from 'node:crypto'
import { isIPv4 } from 'node:net'
import { bits, integer, octets, oid, plainTagged, sequence, set, tagged, time, utf8, yes } from './der'

const DAY_MS = 86_400_000
/** Apple takes no certificate for longer than 825 days, whoever has signed it. */
const HOST_MS = 397 * DAY_MS
const AUTHORITY_MS = 3650 * DAY_MS
/** Clocks of phones are wrong by so much, in ms. */
const SLACK_MS = DAY_MS

const ECDSA_SHA256 = sequence(oid('1.2.840.10045.4.3.2'))

/** A certificate and its private key, both as PEM. */
export interface Pair {
  certificate: string
  key: string
}

/** What a host is called: names and IP addresses. */
export interface Names {
  names: readonly string[]
  addresses: readonly string[]
}

interface Draft {
  issuer: string
  subject: string
  until: Date
  now: Date
  publicKey: Buffer
  extensions: Buffer[]
}

/**
 * An authority for this host alone. Devices that trust it trust it for `*.local`, `localhost` and IP addresses only
 * (name constraints, RFC 5280 §4.2.1.10): with a stolen key nobody can be any site of the internet.
 */
export function makeAuthority(host: string, now: Date): Pair {
  const { privateKey, publicKey } = keys()
  const name = `Slipway on ${host}`.slice(0, 64)
  const onlyLocal = tagged(
    0,
    ...['local', 'localhost'].map((zone) => sequence(plainTagged(2, Buffer.from(zone)))),
    ...[8, 32].map((bytes) => sequence(plainTagged(7, Buffer.alloc(bytes)))),
  )
  const extensions = [
    critical('2.5.29.19', sequence(yes(), integer(Buffer.from([0])))),
    critical('2.5.29.15', bits(Buffer.from([0x06]), 1)),
    critical('2.5.29.30', sequence(onlyLocal)),
    extension('2.5.29.14', octets(keyId(publicKey))),
  ]
  const until = new Date(now.getTime() + AUTHORITY_MS)
  return pair({ issuer: name, subject: name, until, now, publicKey, extensions }, privateKey, privateKey)
}

/** A certificate for these names, signed by the authority. */
export function issue(authority: Pair, { names, addresses }: Names, now: Date): Pair {
  const { privateKey, publicKey } = keys()
  const signer = new X509Certificate(authority.certificate)
  const alternatives = [
    ...names.map((name) => plainTagged(2, Buffer.from(name))),
    ...addresses.map((address) => plainTagged(7, bytesOf(address))),
  ]
  const extensions = [
    critical('2.5.29.19', sequence()),
    critical('2.5.29.15', bits(Buffer.from([0x80]), 7)),
    extension('2.5.29.37', sequence(oid('1.3.6.1.5.5.7.3.1'))),
    extension('2.5.29.17', sequence(...alternatives)),
    extension('2.5.29.14', octets(keyId(publicKey))),
    extension('2.5.29.35', sequence(plainTagged(0, keyId(spkiOf(signer.publicKey))))),
  ]
  const until = new Date(Math.min(now.getTime() + HOST_MS, Date.parse(signer.validTo)))
  const issuer = signer.subject.replace(/^CN=/, '')
  return pair({ issuer, subject: 'Slipway', until, now, publicKey, extensions }, privateKey, authority.key)
}

/** The bytes of an IPv4 or IPv6 address, in the order of the network. */
function bytesOf(address: string): Buffer {
  if (isIPv4(address)) return Buffer.from(address.split('.').map(Number))
  const [head = '', tail] = address.replace(/%.*/, '').split('::')
  const words = (text: string) => text.split(':').filter((word) => word !== '')
  const [before, after] = [words(head), words(tail ?? '')]
  const zeros = Array<string>(8 - before.length - after.length).fill('0')
  return Buffer.from([...before, ...zeros, ...after].map((word) => word.padStart(4, '0')).join(''), 'hex')
}

/** RFC 5280 §4.1. */
function pair(draft: Draft, privateKey: KeyObject, signingKey: KeyObject | string): Pair {
  const { issuer, subject, until, now, publicKey, extensions } = draft
  const body = sequence(
    tagged(0, integer(Buffer.from([2]))),
    integer(Buffer.concat([Buffer.from([0x40]), randomBytes(15)])),
    ECDSA_SHA256,
    named(issuer),
    sequence(time(new Date(now.getTime() - SLACK_MS)), time(until)),
    named(subject),
    publicKey,
    tagged(3, sequence(...extensions)),
  )
  const whole = sequence(body, ECDSA_SHA256, bits(sign('sha256', body, signingKey)))
  return {
    certificate: new X509Certificate(whole).toString(),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}

/** P-256: what every phone and browser of the last ten years knows. */
function keys() {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return { privateKey, publicKey: spkiOf(publicKey) }
}

const spkiOf = (key: KeyObject) => key.export({ type: 'spki', format: 'der' })
/** By the 65 bytes of the point, with which the key of P-256 ends. */
const keyId = (publicKey: Buffer) => createHash('sha1').update(publicKey.subarray(-65)).digest()
const named = (name: string) => sequence(set(sequence(oid('2.5.4.3'), utf8(name))))
const extension = (name: string, value: Buffer) => sequence(oid(name), octets(value))
const critical = (name: string, value: Buffer) => sequence(oid(name), yes(), octets(value))
