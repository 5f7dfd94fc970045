const VERSION = new RegExp(
  [
    /^v?(?:(?<epoch>\d+)!)?(?<release>\d+(?:\.\d+)*)/,
    /(?:[-_.]?(?<stage>alpha|a|beta|b|preview|pre|c|rc)[-_.]?(?<pre>\d*))?/,
    /(?:-(?<implicit>\d+)|[-_.]?(?<isPost>post|rev|r)[-_.]?(?<post>\d*))?/,
    /(?:[-_.]?(?<isDev>dev)[-_.]?(?<dev>\d*))?(?:\+(?<local>[a-z0-9]+(?:[-_.][a-z0-9]+)*))?$/,
  ]
    .map(({ source }) => source)
    .join(''),
)
const STAGES: Readonly<Record<string, string>> = {
  alpha: 'a',
  beta: 'b',
  preview: 'rc',
  pre: 'rc',
  c: 'rc',
}

/**
 * Normalizes a version as pip compares it (PEP 440, "Normalization"). Returns other texts
 * unchanged.
 */
export function normalizeVersion(text: string): string {
  const version = text.trim().toLowerCase()
  const parts = VERSION.exec(version)?.groups
  if (!parts) return version

  const { epoch = '0', release = '', stage, pre, implicit, isPost, post, isDev, dev, local } = parts
  return [
    `${digits(epoch)}!${release
      .split('.')
      .map(digits)
      .join('.')
      .replace(/(?:\.0)+$/, '')}`,
    ...(stage === undefined ? [] : [(STAGES[stage] ?? stage) + digits(pre)]),
    ...(implicit === undefined && isPost === undefined ? [] : [`post${digits(implicit ?? post)}`]),
    ...(isDev === undefined ? [] : [`dev${digits(dev)}`]),
    ...(local === undefined
      ? []
      : [
          `+${local
            .split(/[-_.]/)
            .map((part) => (/^\d+$/.test(part) ? digits(part) : part))
            .join('.')}`,
        ]),
  ].join('.')
}

/** Strips leading zeros. No digits count as 0. */
const digits = (text = ''): string => text.replace(/^0+(?=\d)/, '') || '0'
