import { z } from 'zod'

const boundsSchema = z.object({
  x: z.int(),
  y: z.int(),
  width: z.int().positive(),
  height: z.int().positive(),
})

export const placementSchema = z.object({ bounds: boundsSchema, maximized: z.boolean() })

export type Bounds = z.infer<typeof boundsSchema>
export type Placement = z.infer<typeof placementSchema>

export const MIN_SIZE = { width: 480, height: 400 }
const USUAL_SIZE = { width: 1200, height: 800 }

/** The part of a window that must stay on a screen, so that the person can grab it. */
const GRIP = { width: 120, height: 60 }

/**
 * The remembered position if it is still on a screen, else centred on the first one; never larger
 * than that.
 */
export function fit(bounds: Bounds | undefined, screens: readonly Bounds[]): Bounds {
  const screen = bounds && screens.find((area) => isHeldBy(area, bounds))
  const area = screen ?? screens[0] ?? { x: 0, y: 0, ...USUAL_SIZE }
  const size = sizeWithin(area, bounds ?? USUAL_SIZE)
  if (bounds && screen) return { x: bounds.x, y: Math.max(bounds.y, area.y), ...size }

  const middle = (start: number, room: number, length: number) =>
    start + Math.round((room - length) / 2)

  return {
    x: middle(area.x, area.width, size.width),
    y: middle(area.y, area.height, size.height),
    ...size,
  }
}

function isHeldBy(area: Bounds, { x, y, width, height }: Bounds): boolean {
  const overlap = (from: number, to: number, low: number, high: number) =>
    Math.min(to, high) - Math.max(from, low)
  return (
    overlap(x, x + width, area.x, area.x + area.width) >= GRIP.width &&
    overlap(y, y + height, area.y, area.y + area.height) >= GRIP.height
  )
}

function sizeWithin(area: Bounds, { width, height }: Pick<Bounds, 'width' | 'height'>) {
  return {
    width: Math.min(Math.max(width, MIN_SIZE.width), area.width),
    height: Math.min(Math.max(height, MIN_SIZE.height), area.height),
  }
}
