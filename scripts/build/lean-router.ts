import { join } from 'node:path'
import type { Plugin } from 'vite'

const builds = join(import.meta.dirname, '../../node_modules/react-router/dist/production')

/** By its package.json react-router offers browsers only its build with warnings for developers. This takes the other. */
export function leanRouter(): Plugin {
  return {
    name: 'lean-router',
    apply: 'build',
    config: () => ({
      resolve: {
        alias: [
          { find: /^react-router$/, replacement: join(builds, 'index.mjs') },
          { find: /^react-router\/dom$/, replacement: join(builds, 'dom-export.mjs') },
        ],
      },
    }),
  }
}
