import { expect, test } from 'vitest'
import { fit } from '../../../main/window/placement'

const screen = { x: 0, y: 24, width: 1600, height: 976 }
const second = { x: 1600, y: 0, width: 1280, height: 1024 }

test('the first window stands in the middle of the first screen', () => {
  expect(fit(undefined, [screen, second])).toEqual({ x: 200, y: 112, width: 1200, height: 800 })
})

test('a remembered place holds on any screen', () => {
  const wanted = { x: 1700, y: 100, width: 900, height: 700 }
  expect(fit(wanted, [screen, second])).toEqual(wanted)
})

test('a position on a disconnected screen falls back to the middle of the first one', () => {
  expect(fit({ x: 1700, y: 100, width: 900, height: 700 }, [screen])).toEqual({
    x: 350,
    y: 162,
    width: 900,
    height: 700,
  })
})

test('a window that only a sliver of shows is brought back', () => {
  expect(fit({ x: 1590, y: 100, width: 900, height: 700 }, [screen])).toMatchObject({ x: 350 })
})

test('a strip of 120 by 60 is enough to grab a window by', () => {
  const corner = { x: 1480, y: 940, width: 900, height: 700 }

  expect(fit(corner, [screen])).toMatchObject({ x: 1480, y: 940 })
  expect(fit({ ...corner, x: 1481 }, [screen])).toMatchObject({ x: 350 })
  expect(fit({ ...corner, y: 941 }, [screen])).toMatchObject({ x: 350 })
})

test('no window is larger than its screen, smaller than its page needs, or above the edge', () => {
  expect(fit({ x: -20, y: -30, width: 5000, height: 4000 }, [screen])).toEqual({
    ...screen,
    x: -20,
  })
  expect(fit({ x: 10, y: 50, width: 100, height: 100 }, [screen])).toMatchObject({
    width: 480,
    height: 400,
  })
})
