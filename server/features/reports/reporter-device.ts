import type { Context } from 'koa'
import type { ReportDevice } from '../../contract'
import type { ReportRecord } from '../../data/records/report-records'
import { userAgentOf } from '../../http/pipeline/remote'

/** The most of a header that is read, in characters. */
const MOST = 500

type Pattern = readonly [RegExp, (version: string) => string]

/** The first that matches. Some systems and browsers no longer tell their version. */
const SYSTEMS: readonly Pattern[] = [
  [/Windows NT/, () => 'Windows'],
  [/iPhone OS (\d+(?:_\d+)?)/, (version) => `iOS ${version.replace('_', '.')}`],
  [/iPad; CPU OS (\d+(?:_\d+)?)/, (version) => `iPadOS ${version.replace('_', '.')}`],
  // Chrome says this of every Android.
  [/Android 10; K\)/, () => 'Android'],
  [/Android (\d+(?:\.\d+)?)/, (version) => `Android ${version}`],
  [/Android/, () => 'Android'],
  [/Mac OS X/, () => 'macOS'],
  [/CrOS/, () => 'ChromeOS'],
  [/Linux|X11/, () => 'Linux'],
]

/** Browsers that also name another one come first. */
const BROWSERS: readonly Pattern[] = [
  [/Edg(?:A|iOS)?\/(\d+)/, (version) => `Edge ${version}`],
  [/OPR\/(\d+)/, (version) => `Opera ${version}`],
  [/SamsungBrowser\/(\d+)/, (version) => `Samsung Internet ${version}`],
  [/(?:Firefox|FxiOS)\/(\d+)/, (version) => `Firefox ${version}`],
  [/(?:Chrome|CriOS)\/(\d+)/, (version) => `Chrome ${version}`],
  [/Version\/(\d+(?:\.\d+)?).* Safari\//, (version) => `Safari ${version}`],
]

/** Describes the device as the sender names it, else as the request does. */
export function describeDevice(
  ctx: Context,
  said: { [Name in keyof ReportDevice]?: string | null | undefined },
): ReportRecord['device'] {
  const asked = describeReporter(userAgentOf(ctx), ctx.get('accept-language'))
  return {
    system: said.system || asked.system || undefined,
    model: said.model || asked.model || undefined,
    browser: said.browser || asked.browser || undefined,
    language: said.language || asked.language || undefined,
  }
}

/** Reads what a browser says about itself. Null for what it does not say. */
export function describeReporter(userAgent: string, acceptLanguage: string): ReportDevice {
  const agent = userAgent.slice(0, MOST)
  const find = (patterns: readonly Pattern[]) => {
    for (const [pattern, name] of patterns) {
      const match = pattern.exec(agent)
      if (match) return name(match[1] ?? '')
    }
    return null
  }

  return {
    system: find(SYSTEMS),
    model: findModel(agent),
    browser: find(BROWSERS),
    language: /^[a-z]{1,8}(?:-[a-z\d]{1,8}){0,3}/i.exec(acceptLanguage)?.[0] ?? null,
  }
}

/** Android names the model after its version; `K` stands for all of them. */
function findModel(agent: string): string | null {
  if (agent.includes('iPhone')) return 'iPhone'
  if (agent.includes('iPad')) return 'iPad'
  const model = /Android [\d.]+; ([^;)]{2,60})/
    .exec(agent)?.[1]
    ?.replace(/ Build\/.*$/, '')
    .trim()
  return model === undefined || /^(Mobile|Tablet|wv|rv:.*)$/i.test(model) ? null : model
}
