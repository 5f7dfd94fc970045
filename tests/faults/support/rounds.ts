// For vitest.config.ts and playwright.config.ts.
export { isFull } from '../../support/system/rounds.ts'
