import { expect, test } from 'vitest'
import { androidVersion } from '../../../server/contract/files/android-version'

test.each([
  [null, null],
  [0, null],
  [1, 'Android 1.0'],
  [32, 'Android 12L'],
  [36, 'Android 16'],
  [37, 'Android (API level 37)'],
])('API level %s is %s', (level, version) => expect(androidVersion(level)).toBe(version))
