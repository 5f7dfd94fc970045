import { useLocation } from 'react-router-dom'

/** Navigation state for the sign-in page. */
export interface SignInState {
  /** Where to return to. */
  from?: string
  /** A message above the form. */
  message?: string
  /** Prefilled after a registration. */
  username?: string
}

/** Empty for a page opened by its address. */
export const useSignInState = (): SignInState => (useLocation().state as SignInState | null) ?? {}
