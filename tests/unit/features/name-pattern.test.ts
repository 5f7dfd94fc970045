import { expect, test } from 'vitest'
import { isFinishedName, matchesPattern } from '../../../server/features/watches/name-pattern'

test.for([
  ['app-release-1.4.2.apk', '*', true],
  ['app-release-1.4.2.apk', '*.apk', true],
  ['App.APK', '*.apk', true],
  ['app.apk.zip', '*.apk', false],
  ['app.aab', '*.apk, *.aab', true],
  ['app-a.apk', 'app-?.apk', true],
  ['app-.apk', 'app-?.apk', false],
  ['app[1].apk', 'app[1].*', true],
  ['app.apk', 'app.apk**', true],
  ['app.apk', ' , ', false],
  ['aXbXc', 'a*b*c', true],
  ['aXbXcX', 'a*b*c', false],
] as const)('%s is one of %s: %s', ([name, pattern, isOne]) => {
  expect(matchesPattern(name, pattern)).toBe(isOne)
})

test('matches every pattern quickly', () => {
  const before = process.cpuUsage()
  expect(matchesPattern('a'.repeat(255), `${'*a'.repeat(90)}*b`)).toBe(false)
  // Time of the processor, in µs: what else the machine does is not in it.
  expect(process.cpuUsage(before).user).toBeLessThan(500_000)
})

test.for([
  '.hidden',
  '~$plan.docx',
  'app.apk~',
  'app.part',
  'app.apk.crdownload',
  'app.TMP',
  'app.apk.partial',
])('%s is not finished', (name) => {
  expect(isFinishedName(name)).toBe(false)
})

test.for(['app.apk', 'part.apk', 'app.tmp.apk', 'ä.zip'])('%s may be a build', (name) => {
  expect(isFinishedName(name)).toBe(true)
})
