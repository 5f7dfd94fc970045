import { useLocation } from 'react-router-dom'

/** What the sign-in page is told by whoever sends a person there. */
export interface SignInState {
  /** Where the person was, to return to. */
  from?: string
  /** A message to show above the form. */
  message?: string
  /** Who has just registered, and has the password left to type. */
  username?: string
}

/** What was said on the way to this page; nothing for a person who opened it by its address. */
export const useSignInState = (): SignInState => (useLocation().state as SignInState | null) ?? {}
