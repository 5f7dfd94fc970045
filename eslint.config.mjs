import js from '@eslint/js'
import reactHooks from 'eslint-plugin-react-hooks'
import { defineConfig, globalIgnores } from 'eslint/config'
import tseslint from 'typescript-eslint'

/** Where our manner differs from `strictTypeChecked`, and why. */
const manner = {
  // `${count}` in a sentence is plain English; objects are still refused.
  '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
  // A callback may be one expression long, whatever it answers.
  '@typescript-eslint/no-confusing-void-expression': 'off',
  // `onClick={async () => …}` is how React handlers are written; `void` marks every other promise we do not await.
  '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { attributes: false } }],
  // A method that fills an interface may be async without awaiting.
  '@typescript-eslint/require-await': 'off',
  // Fixtures without dependencies are written `async ({}, use) => …`.
  'no-empty-pattern': ['error', { allowObjectPatternsAsParameters: true }],
  // A leading underscore says that a parameter is not used; TypeScript checks the rest.
  '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
  'max-lines': ['error', { max: 250 }],
}

/** In tests `x!` is an assertion like any other, and the body of a reply is read as it comes. */
const inTests = {
  '@typescript-eslint/no-non-null-assertion': 'off',
  '@typescript-eslint/no-unsafe-assignment': 'off',
  '@typescript-eslint/no-unsafe-member-access': 'off',
}

const nodeGlobals = Object.fromEntries(
  ['process', 'console', 'module', 'setInterval', 'clearInterval'].map((name) => [name, 'readonly']),
)

export default defineConfig(
  globalIgnores(['dist', 'release', 'coverage', 'test-results']),
  js.configs.recommended,
  {
    files: ['**/*.{ts,tsx}'],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: manner,
  },
  { files: ['renderer/**/*.{ts,tsx}'], extends: [reactHooks.configs.flat['recommended-latest']] },
  { files: ['tests/**/*.{ts,tsx}'], rules: inTests },
  { files: ['**/*.{mjs,cjs}'], languageOptions: { globals: nodeGlobals } },
)
