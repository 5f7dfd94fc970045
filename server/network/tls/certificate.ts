import { createHash, generateKeyPairSync, randomBytes, sign, X509Certificate, type KeyObject } from 'node:crypto'
import { bytesOfAddress } from '../../core/ip-address'
import { bits, integer, octets, oid, plainTagged, sequence, set, tagged, time, utf8, yes } from './der'
import { isPermitted, localOnly } from './local-only'

const DAY_MS = 86_400_000
/** Apple takes no certificate for longer than 825 days, whoever has signed it. */
const HOST_MS = 397 * DAY_MS
const AUTHORITY_MS = 3650 * DAY_MS
/** Clocks of phones are wrong by so much, in ms. */
const SLACK_MS = DAY_MS

/** The extended key usage (RFC 5280 §4.2.1.12) of servers that speak TLS. */
const SERVER_AUTH = '1.3.6.1.5.5.7.3.1'

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
 * An authority for this host alone. Devices that trust it trust it for HTTPS at `*.local`, `localhost`, local IP
 * addresses and those of the host only: with a stolen key nobody can be another site, nor sign e-mail or programs. It is
 * called by the last of the names.
 */
export function makeAuthority({ names, addresses }: Names, now: Date): Pair {
  const { privateKey, publicKey } = keys()
  const name = `Slipway on ${names.at(-1)}`.slice(0, 64)
  const extensions = [
    critical('2.5.29.19', sequence(yes(), integer(Buffer.from([0])))),
    critical('2.5.29.15', bits(Buffer.from([0x06]), 1)),
    extension('2.5.29.37', sequence(oid(SERVER_AUTH))),
    critical('2.5.29.30', localOnly(addresses)),
    extension('2.5.29.14', octets(keyId(publicKey))),
  ]
  const until = new Date(now.getTime() + AUTHORITY_MS)
  return pair({ issuer: name, subject: name, until, now, publicKey, extensions }, privateKey, privateKey)
}

/** Whether the authority is for servers only. Those that were made before could sign for people and programs too. */
export function isForServersOnly(authority: Pair): boolean {
  // The types promise a list, but a certificate without the extension has none.
  const usages = new X509Certificate(authority.certificate).keyUsage as string[] | undefined
  return usages?.join() === SERVER_AUTH
}

/** A certificate for these names, signed by the authority. Addresses that it is not good for are left out. */
export function issue(authority: Pair, { names, addresses }: Names, now: Date): Pair {
  const { privateKey, publicKey } = keys()
  const signer = new X509Certificate(authority.certificate)
  const alternatives = [
    ...names.map((name) => plainTagged(2, Buffer.from(name))),
    ...addresses
      .filter((it) => isPermitted(signer.raw, it))
      .map((address) => plainTagged(7, bytesOfAddress(address) ?? Buffer.alloc(0))),
  ]
  const extensions = [
    critical('2.5.29.19', sequence()),
    critical('2.5.29.15', bits(Buffer.from([0x80]), 7)),
    extension('2.5.29.37', sequence(oid(SERVER_AUTH))),
    extension('2.5.29.17', sequence(...alternatives)),
    extension('2.5.29.14', octets(keyId(publicKey))),
    extension('2.5.29.35', sequence(plainTagged(0, keyId(spkiOf(signer.publicKey))))),
  ]
  const until = new Date(Math.min(now.getTime() + HOST_MS, Date.parse(signer.validTo)))
  const issuer = signer.subject.replace(/^CN=/, '')
  return pair({ issuer, subject: 'Slipway', until, now, publicKey, extensions }, privateKey, authority.key)
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
