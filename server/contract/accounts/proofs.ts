/** What can prove a person beside the password. A recovery code counts as a code. */
export const factorKinds = ['code', 'passkey'] as const
export type FactorKind = (typeof factorKinds)[number]

/**
 * What proved the person of a session. `code` and `recovery_code`: with the password or the
 * provider. `provider`: the one of single sign-on.
 */
export const proofs = ['password', 'code', 'recovery_code', 'passkey', 'provider'] as const
export type ProvedBy = (typeof proofs)[number]
