import { useLocation } from 'react-router-dom'

export interface SignInState {
  from?: string
  message?: string
  username?: string
}

export const useSignInState = (): SignInState => (useLocation().state as SignInState | null) ?? {}
