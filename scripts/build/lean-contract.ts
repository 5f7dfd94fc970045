import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'

const description = join(import.meta.dirname, '../../docs/openapi.json')
const SUMMARY = /^ *summary:\s+(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"),\n/gm

type Operations = Record<string, { summary?: string }>

/**
 * Leaves the summaries of the calls out of the contract that every page loads, a fifth of it. Only the docs page shows
 * them; it gets them as a table, from the description of the API.
 */
export function leanContract(): Plugin {
  return {
    name: 'lean-contract',
    apply: 'build',
    enforce: 'pre',
    transform: {
      filter: { id: /[\\/]server[\\/]contract[\\/](?!endpoint\.)|[\\/]docs[\\/]summary-of\.ts$/ },
      handler: (code, id) => ({ code: id.endsWith('summary-of.ts') ? withTable() : withoutSummaries(code), map: null }),
    },
  }
}

function withoutSummaries(code: string): string {
  const lean = code.replace(SUMMARY, '')
  if (/^ *summary:\s+(?!z\.)/m.test(lean)) throw new Error('A summary is not one string: look at lean-contract.ts')
  return lean
}

function withTable(): string {
  const { paths } = JSON.parse(readFileSync(description, 'utf8')) as { paths: Record<string, Operations> }
  const table = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, { summary }]) => [`${method.toUpperCase()} ${path}`, summary]),
  )
  return `const table = ${JSON.stringify(Object.fromEntries(table))}
export const summaryOf = ({ method, path }) => table[method + ' ' + path.replace(/:(\\w+)/g, '{$1}')]`
}
