import { useLocation } from 'react-router-dom'
import type { FactorKind } from '../../../server/contract'

export interface SignInState {
  from?: string | undefined
  message?: string | undefined
  username?: string
  /** The person has chosen the provider of single sign-on on a page of this host. */
  hasChosenProvider?: boolean
  /** Proves the password, where the sign-in still needs one of `factors`. */
  ticket?: string | undefined
  factors?: readonly FactorKind[] | undefined
}

export const useSignInState = (): SignInState => (useLocation().state as SignInState | null) ?? {}
