import type { Planted } from './plant'

export function describePlanted({ usernames, password, pages, apiKey }: Planted): string {
  return [
    `People     ${usernames.join(', ')}, each with the password ${password}`,
    `Public     ${pages.join('  ')}`,
    `API key    ${apiKey} (alice's)`,
  ].join('\n')
}
