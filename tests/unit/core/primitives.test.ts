import { describe, expect, it, vi } from 'vitest'
import { backoffMs } from '../../../server/core/backoff'
import { realSources } from '../../../server/core/clock'
import { endsWithin } from '../../../server/core/deadline'
import { Serial } from '../../../server/core/serial'
import { Signal } from '../../../server/core/signal'

it('makes ids of 16 characters with a capital letter, none of them twice', () => {
  const ids = Array.from({ length: 1000 }, () => realSources.newId())

  expect(new Set(ids).size).toBe(1000)
  for (const id of ids) expect(id).toMatch(/^(?=.*[A-Z])[A-Za-z0-9][\w-]{15}$/)
})

describe('Serial', () => {
  it('starts a task when the one before it has ended, also after a failure', async () => {
    const serial = new Serial()
    const order: string[] = []
    const gate = Promise.withResolvers()
    const first = serial.run(async () => {
      await gate.promise
      order.push('first')
      throw new Error('first failed')
    })
    const second = serial.run(() => order.push('second'))
    const idle = serial.idle().then(() => order.push('idle'))
    gate.resolve(undefined)
    await expect(first).rejects.toThrow('first failed')
    expect(await second).toBe(2)
    await idle
    expect(order).toEqual(['first', 'second', 'idle'])
  })
})

describe('Signal', () => {
  it('tells each subscriber until its subscription ends', () => {
    const signal = new Signal<number>()
    const heard: string[] = []
    const leave = signal.subscribe((value) => heard.push(`one ${value}`))
    signal.subscribe((value) => heard.push(`two ${value}`))
    signal.emit(1)
    leave()
    signal.emit(2)
    signal.clear()
    signal.emit(3)
    expect(heard).toEqual(['one 1', 'two 1', 'two 2'])
  })
})

describe('backoffMs', () => {
  it('doubles the pause with each failure, up to the longest', () => {
    const pauses = [0, 1, 2, 3, 4, 5000].map((failures) =>
      backoffMs(failures, { firstMs: 100, longestMs: 500 }),
    )
    expect(pauses).toEqual([100, 100, 200, 400, 500, 500])
  })
})

describe('endsWithin', () => {
  it('says whether the work ended before the deadline, and leaves no timer behind', async () => {
    vi.useFakeTimers()
    try {
      const late = endsWithin(50, new Promise(() => undefined))
      await vi.advanceTimersByTimeAsync(50)
      expect(await late).toBe(false)
      // The runner has set others while time was moved; none can come in between here.
      const others = vi.getTimerCount()
      expect(await endsWithin(50, Promise.resolve('done'))).toBe(true)
      await expect(endsWithin(50, Promise.reject(new Error('broken')))).rejects.toThrow('broken')
      expect(vi.getTimerCount()).toBe(others)
    } finally {
      vi.useRealTimers()
    }
  })
})
