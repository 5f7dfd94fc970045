import { createContext, useContext } from 'react'

const LanguageContext = createContext<[string, (language: string) => void]>([
  'curl',
  () => undefined,
])
export const LanguageProvider = LanguageContext.Provider

export const useLanguage = () => useContext(LanguageContext)
