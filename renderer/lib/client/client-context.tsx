import { createContext, useContext } from 'react'
import type { Client } from './api-client'

const ClientContext = createContext<Client | null>(null)
export const ClientProvider = ClientContext.Provider

/** The typed client of the nearest provider. */
export function useClient(): Client {
  const client = useContext(ClientContext)
  if (!client) throw new Error('useClient needs a <ClientProvider>')
  return client
}
