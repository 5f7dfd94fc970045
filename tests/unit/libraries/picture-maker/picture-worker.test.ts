import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aPicture } from '../../../support/pictures'
import { PictureMaker } from '../../../../server/libraries/picture-maker/picture-maker'
import { INSIDE, closeWorld, log, made, maker, openWorld, png, vips } from './picture-world'

beforeAll(openWorld)
afterAll(closeWorld)

describe('the worker', () => {
  test('runs while there is work, and its memory ends where its limit says', async () => {
    const bound = new PictureMaker(log, { memoryPages: 4352 })
    expect(bound.isRunning).toBe(false)

    // 19 megapixels of 4 bytes, which an interlaced picture needs at once, more than once.
    const large = aPicture({ width: 4400, kind: 6, isInterlaced: true })
    expect(await made(large, INSIDE, bound)).toMatchObject({ problem: 'content' })
    expect(await made(png(), INSIDE, bound)).toMatchObject({ width: 40 })
    expect(bound.isRunning).toBe(true)

    await bound.close()
    expect(bound.isRunning).toBe(false)
  })

  test('gives up a picture that takes too long, and makes the next', async () => {
    const hurried = new PictureMaker(log, { patienceMs: 10 })
    await made(png(), INSIDE, hurried)
    const slow = await made(
      vips.Image.gaussnoise(1500, 1500).cast('uchar').pngsaveBuffer(),
      INSIDE,
      hurried,
    )
    expect(slow).toMatchObject({ reason: expect.stringContaining('too much time') as string })
    await hurried.close()
  })

  test('sends away what waits too long for others, and rests by content', async () => {
    const hurried = new PictureMaker(log, { patienceMs: 60, lateMs: 1 })
    const slow = vips.Image.gaussnoise(1500, 1500).cast('uchar').pngsaveBuffer()
    await made(png(), INSIDE, hurried)
    const both = await Promise.all([
      made(slow, INSIDE, hurried),
      made(slow, INSIDE, hurried, 'bob'),
    ])
    const tooMuch = {
      problem: 'content',
      reason: expect.stringContaining('too much time') as string,
    }
    expect(both).toContainEqual(expect.objectContaining({ problem: 'busy' }))
    expect(both).toContainEqual(tooMuch)
    expect(await made(slow, INSIDE, hurried)).toEqual(tooMuch)
    await hurried.close()
  })

  test('serves people in turn, so that many pictures of one delay those of others by a single one', async () => {
    const done: string[] = []
    const make = (ownerId: string) =>
      made(png(), INSIDE, maker, ownerId).then(() => done.push(ownerId))
    await Promise.all([...Array.from({ length: 5 }, () => make('alice')), make('bob')])
    expect(done.indexOf('bob')).toBeLessThan(3)
  })
})
