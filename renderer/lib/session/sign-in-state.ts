import { useLocation } from 'react-router-dom'

export interface SignInState {
  from?: string | undefined
  message?: string | undefined
  username?: string
}

export const useSignInState = (): SignInState => (useLocation().state as SignInState | null) ?? {}
