import { z } from 'zod'
import { proofs, scopes, tiers } from '../../contract'
import { id, time } from '../../contract/fields'
import { passwordHash, text, tokenHash } from './fields'

export type UserRecord = z.infer<typeof userRecord>

export const userRecord = z.object({
  id,
  username: z.string().regex(/^[A-Za-z0-9_-]{1,80}$/),
  email: z.string().max(320),
  passwordHash,
  tier: z.enum(tiers),
  isHost: z.boolean(),
  /** Null: enabled. */
  disabledAt: time.nullable(),
  createdAt: time,
  /** The open link that sets a new password. A new one replaces it. */
  passwordLink: z.object({ tokenHash, expiresAt: time }).optional(),
  /** Nobody knows its password: single sign-on created the account. */
  isPasswordless: z.boolean().optional(),
  /** Later files that people sent are new. Undefined: all are. */
  receivedSeenAt: time.optional(),
})

/**
 * A deleted account, which the host account can restore for some days. It is in no other
 * collection, so that it can do and own nothing.
 */
export type DeletedAccountRecord = z.infer<typeof deletedAccountRecord>

const count = z.int().nonnegative()

export const deletedAccountRecord = z.object({
  id,
  /** Null: it is being removed permanently. Then nothing of the record names a person. */
  user: userRecord.nullable(),
  deletedAt: time,
  /** The projects of other people that it worked on, and those that it handed over. */
  memberships: z.array(z.object({ projectId: id, isMaintainer: z.boolean() })).readonly(),
  /** What ended with the account, and does not come back with it. */
  ended: z.object({ apiKeys: count, fileRequests: count, handedOver: count }),
})

/** The right of a session to manage the host, from a manage link; ends with the session. */
export type ManageGrant = z.infer<typeof manageGrant>

const manageGrant = z.object({
  id: text,
  since: time,
  until: time,
  /** IP address and User-Agent that used the link. */
  address: text,
  browser: text,
})

/** The provider of single sign-on that began a session. */
export type ProviderSession = z.infer<typeof providerSession>

export const providerSession = z.object({
  issuer: text,
  subject: text,
  /** The session at the provider, where it says one. */
  sid: text.optional(),
  /** What people call the provider. */
  name: text,
})

/** What a provider proved, which may need a second factor. */
export type ProvedByProvider = z.infer<typeof provedByProvider>

export const provedByProvider = z.object({
  provider: providerSession,
  /** In ms since 1970. */
  answeredAt: z.number(),
})

/** A stored session. Only the hash of its id is kept, so that a stolen library opens no session. */
export type SessionRecord = z.infer<typeof sessionRecord>

export const sessionRecord = z.object({
  /** SHA-256 of the id in the cookie, base64url. */
  id,
  userId: id,
  createdAt: time,
  lastSeenAt: time,
  /** IP address and User-Agent at sign-in. Missing in sessions from before version 1.1. */
  address: text.optional(),
  browser: text.optional(),
  manage: manageGrant.optional(),
  /** What proved the person, and when last. Missing in sessions from before second factors. */
  provedBy: z.enum(proofs).optional(),
  provedAt: time.optional(),
  provider: providerSession.optional(),
})

/** An account at a provider of single sign-on, and the account here that it opens. */
export type IdentityRecord = z.infer<typeof identityRecord>

export const identityRecord = z.object({
  /** A hash of issuer and subject: both together name a person (OpenID Connect Core §5.7). */
  id,
  userId: id,
  issuer: text,
  subject: text,
  /** What the provider called the person last, for display. */
  label: text.nullable(),
  createdAt: time,
  lastUsedAt: time.nullable(),
})

/** The hash of what works once, such as the state of a sign-in, until it expires. */
export type UsedTokenRecord = z.infer<typeof usedTokenRecord>

export const usedTokenRecord = z.object({ id, until: time })

/** A passkey: the public half of a key pair that an authenticator keeps (WebAuthn). */
export type PasskeyRecord = z.infer<typeof passkeyRecord>

const passkeyRecord = z.object({
  id,
  /** The name that the person gave it. */
  name: text,
  /** The id that the authenticator gave it, and its public key in COSE form, base64url. */
  credentialId: text,
  publicKey: text,
  /** How often the authenticator signed, where it counts; else 0. */
  counter: z.int().nonnegative(),
  transports: z.array(text).readonly(),
  /** The name of the host for which it was made. It works at no other one. */
  rpId: text,
  createdAt: time,
  lastUsedAt: time.nullable(),
})

/** What proves an account beside its password. The id is that of the account. */
export type FactorRecord = z.infer<typeof factorRecord>

export const factorRecord = z.object({
  id,
  /** Codes of an app (RFC 6238). */
  codes: z
    .object({
      /** Encrypted by a key of the host. */
      sealedSecret: text,
      /** The time step of the last code that was used: no earlier one works any more. */
      lastStep: z.int(),
      createdAt: time,
      lastUsedAt: time.nullable(),
    })
    .nullable(),
  passkeys: z.array(passkeyRecord).readonly(),
  /** The recovery codes that are left. */
  recoveryHashes: z.array(tokenHash).readonly(),
  /** Challenges that passkeys have answered. Each works once; `until`: it has expired. */
  answered: z.array(z.object({ hash: tokenHash, until: time })).readonly(),
})

/** An API key, stored as a hash. */
export type ApiKeyRecord = z.infer<typeof apiKeyRecord>

export const apiKeyRecord = z.object({
  id,
  ownerId: id,
  name: text,
  hash: tokenHash,
  scopes: z.array(z.enum(scopes)).readonly(),
  /** The only project that it reaches; null: every project of its owner. */
  projectId: id.nullable(),
  createdAt: time,
  expiresAt: time.nullable(),
  lastUsedAt: time.nullable(),
  revokedAt: time.nullable(),
})

/** An open invite link, for one account. */
export type InviteRecord = z.infer<typeof inviteRecord>

export const inviteRecord = z.object({
  id,
  tokenHash,
  /** Null: the default tier. */
  tier: z.enum(tiers).nullable(),
  /** The address of the person, in lower case. */
  email: text.optional(),
  projectId: id.nullable(),
  createdBy: id,
  createdAt: time,
  expiresAt: time,
})
