import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import type { BrowserWindow } from 'electron'
import { realDeps } from '../../server'
import { placementSchema, type Placement } from './placement'

const SETTLED_MS = 500

export function readPlacement(file: string): Placement | undefined {
  try {
    return placementSchema.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return undefined
  }
}

export function rememberPlace(window: BrowserWindow, file: string): void {
  let settling: NodeJS.Timeout | undefined

  const save = () => {
    clearTimeout(settling)
    write({ bounds: window.getNormalBounds(), maximized: window.isMaximized() }, file)
  }

  const saveSoon = () => {
    clearTimeout(settling)
    settling = setTimeout(save, SETTLED_MS)
  }

  window.on('resize', saveSoon)
  window.on('move', saveSoon)
  window.on('close', save)
  window.on('closed', () => clearTimeout(settling))
}

function write(placement: Placement, file: string): void {
  const draft = `${file}.tmp`
  try {
    const fd = openSync(draft, 'w', 0o600)
    writeSync(fd, JSON.stringify(placement))
    fsyncSync(fd)
    closeSync(fd)
    renameSync(draft, file)
  } catch (err) {
    realDeps.log.error({ err }, 'cannot save the position of the window')
  }
}
