/**
 * One component per job: a pattern that shows a second implementation, and the file that may
 * contain it.
 */
const SINGLE_IMPLEMENTATIONS = [
  { of: 'a form', pattern: /from '@mantine\/form'/, only: 'renderer/lib/forms/use-api-form.ts' },
  {
    of: 'a form',
    pattern: /<form\b|type="submit"|\bFormAlert\b/,
    only: 'renderer/ui/form-frame.tsx',
  },
  {
    of: 'a call',
    pattern: /\buseMutation\b|notifyError\(failureText/,
    only: 'renderer/lib/client/use-call.ts',
  },
  { of: 'a load', pattern: /\buseQuery\b/, only: 'renderer/lib/client/use-load.ts' },
  {
    of: 'a refresh',
    pattern: /\binvalidateQueries\b/,
    only: 'renderer/lib/client/query-client.ts',
  },
  { of: 'a table', pattern: /<Table\.|<table\b/, only: 'renderer/ui/table/data-table.tsx' },
  { of: 'a failure to load', pattern: /\bLoadError\b/, only: 'renderer/ui/feedback/loaded.tsx' },
]

/**
 * Returns a line for each second implementation in `path`. Visitor pages are exempt: they load no
 * Mantine.
 */
export const findOtherWays = (path: string, text: string): string[] =>
  SINGLE_IMPLEMENTATIONS.filter(
    ({ pattern, only }) =>
      /^renderer\/(?!visitor\/)/.test(path) && path !== only && pattern.test(text),
  ).map(({ of, only }) => `${path}: another way to write ${of} than ${only}`)
