import { defineConfig } from 'oxlint'

const on = (...names: string[]) => Object.fromEntries(names.map((name) => [name, 'error'] as const))

/** Beside everything that is plainly wrong (`correctness`): the strict rules of typescript-eslint and of React. */
const strict = on(
  'no-array-constructor',
  'no-case-declarations',
  'no-empty',
  'no-fallthrough',
  'no-prototype-builtins',
  'no-redeclare',
  'no-regex-spaces',
  'no-unexpected-multiline',
  'no-useless-assignment',
  'no-useless-constructor',
  'preserve-caught-error',
  'react/rules-of-hooks',
  'react/unsupported-syntax',
  'typescript/no-deprecated',
  'typescript/no-dynamic-delete',
  'typescript/no-empty-object-type',
  'typescript/no-explicit-any',
  'typescript/no-extraneous-class',
  'typescript/no-generated-empty-object-type',
  'typescript/no-invalid-void-type',
  'typescript/no-mixed-enums',
  'typescript/no-namespace',
  'typescript/no-non-null-asserted-nullish-coalescing',
  'typescript/no-non-null-assertion',
  'typescript/no-require-imports',
  'typescript/no-unnecessary-boolean-literal-compare',
  'typescript/no-unnecessary-condition',
  'typescript/no-unnecessary-template-expression',
  'typescript/no-unnecessary-type-arguments',
  'typescript/no-unnecessary-type-assertion',
  'typescript/no-unnecessary-type-constraint',
  'typescript/no-unnecessary-type-conversion',
  'typescript/no-unnecessary-type-parameters',
  'typescript/no-unsafe-argument',
  'typescript/no-unsafe-assignment',
  'typescript/no-unsafe-call',
  'typescript/no-unsafe-enum-comparison',
  'typescript/no-unsafe-function-type',
  'typescript/no-unsafe-member-access',
  'typescript/no-unsafe-return',
  'typescript/only-throw-error',
  'typescript/prefer-literal-enum-member',
  'typescript/prefer-promise-reject-errors',
  'typescript/prefer-reduce-type-parameter',
  'typescript/prefer-return-this-type',
  'typescript/related-getter-setter-pairs',
  'typescript/restrict-plus-operands',
  'typescript/unified-signatures',
  'typescript/use-unknown-in-catch-callback-variable',
)

/** Files without types: what these rules need is not there. */
const untyped = Object.fromEntries(
  ['argument', 'assignment', 'call', 'member-access', 'return']
    .map((what) => `typescript/no-unsafe-${what}`)
    .concat('typescript/use-unknown-in-catch-callback-variable')
    .map((rule) => [rule, 'off'] as const),
)

export default defineConfig({
  options: { typeAware: true, reportUnusedDisableDirectives: 'error' },
  plugins: ['typescript', 'react'],
  categories: { correctness: 'error' },
  // A file of `public` is served as it is, and belongs to no program of TypeScript.
  ignorePatterns: ['dist', 'release', 'coverage', 'test-results', 'renderer/public'],
  rules: {
    ...strict,
    'react/no-did-update-set-state': 'off',
    'typescript/require-array-sort-compare': 'off',
    'max-lines': ['error', { max: 300, skipBlankLines: true, skipComments: true }],
    // A leading underscore says that a parameter is not used; TypeScript checks the rest.
    'no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
    // Fixtures without dependencies are written `async ({}, use) => …`.
    'no-empty-pattern': ['error', { allowObjectPatternsAsParameters: true }],
    'typescript/ban-ts-comment': ['error', { minimumDescriptionLength: 10 }],
    // `onClick={async () => …}` is how React handlers are written; `void` marks every other promise
    // that is not awaited.
    'typescript/no-misused-promises': ['error', { checksVoidReturn: { attributes: false } }],
    // `${count}` in a sentence is plain English; objects are still refused.
    'typescript/restrict-template-expressions': ['error', { allowNumber: true }],
    'typescript/return-await': ['error', 'error-handling-correctness-only'],
  },
  overrides: [
    {
      // In tests `x!` is an assertion like any other, and the body of a reply is read as it comes.
      files: ['tests/**'],
      rules: {
        'max-lines': ['error', { max: 350, skipBlankLines: true, skipComments: true }],
        'typescript/no-non-null-assertion': 'off',
        'typescript/no-unsafe-assignment': 'off',
        'typescript/no-unsafe-member-access': 'off',
      },
    },
    // Fixtures of tests call `use`, which is no hook there.
    { files: ['{main,tests}/**'], rules: { 'react/rules-of-hooks': 'off' } },
    { files: ['**/*.{mjs,cjs}'], rules: untyped },
  ],
})
