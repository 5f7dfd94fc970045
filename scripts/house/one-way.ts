/**
 * Things that pages do in one way: the signs of another way, and the one file that may contain
 * them.
 */
const WAYS = [
  { of: 'a form', sign: /from '@mantine\/form'/, only: 'renderer/lib/forms/use-api-form.ts' },
  { of: 'a form', sign: /<form\b|type="submit"|\bFormAlert\b/, only: 'renderer/ui/form-frame.tsx' },
  {
    of: 'a call',
    sign: /\buseMutation\b|notifyError\(failureText/,
    only: 'renderer/lib/client/use-call.ts',
  },
  { of: 'a load', sign: /\buseQuery\b/, only: 'renderer/lib/client/use-load.ts' },
  { of: 'a refresh', sign: /\binvalidateQueries\b/, only: 'renderer/lib/client/query-client.ts' },
  { of: 'a table', sign: /<Table\.|<table\b/, only: 'renderer/ui/table/data-table.tsx' },
  { of: 'a failure to load', sign: /\bLoadError\b/, only: 'renderer/ui/feedback/loaded.tsx' },
]

/**
 * Returns one line for each thing that a file of the app writes in its own way. Pages for visitors
 * have no kit.
 */
export const findOtherWays = (path: string, text: string): string[] =>
  WAYS.filter(
    ({ sign, only }) => /^renderer\/(?!visitor\/)/.test(path) && path !== only && sign.test(text),
  ).map(({ of, only }) => `${path}: another way to write ${of} than ${only}`)
