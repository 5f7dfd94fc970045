import { createContext, useContext } from 'react'

const LanguageContext = createContext<[string, (language: string) => void]>(['curl', () => undefined])
export const LanguageProvider = LanguageContext.Provider

/** The language in which the reader wants the examples, and the way to change it. */
export const useLanguage = () => useContext(LanguageContext)
