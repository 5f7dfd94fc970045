import type { TaskProgress } from '../../../../server/contract/host/desktop'
import { formatQuantity, formatSize } from '../../../lib/texts/format'
import { timeLeft } from '../transport/transfer-rate'
import { hasWarnings, isTransferring, isUnfinished, shareDone, type Upload } from '../upload'

export interface UploadTotals {
  files: number
  position: number
  failed: number
  isPaused: boolean
  /** 0 to 1. */
  share: number
  bytesLeft: number
  /** Bytes per second, once known. */
  rate?: number
}

/** Sums up the queue, including finished uploads, so that the progress never falls back. */
export function totalsOf(uploads: readonly Upload[]): UploadTotals {
  const unfinished = uploads.filter(isUnfinished)
  const failed = uploads.filter(({ state }) => state === 'failed' || state === 'unlinked').length
  const active = uploads.find(isTransferring)
  const weights = uploads.map(weightOf)
  const all = sum(weights)
  const done = sum(uploads.map((upload, index) => shareDone(upload) * (weights[index] ?? 0)))

  return {
    files: uploads.length,
    position: Math.min(uploads.length, uploads.length - unfinished.length + 1),
    failed,
    isPaused: unfinished.length > 0 && unfinished.every(({ state }) => state === 'paused'),
    share: all === 0 ? 0 : done / all,
    bytesLeft: sum(unfinished.map(({ file, sent }) => file.size - sent)),
    ...(active?.rate === undefined ? {} : { rate: active.rate }),
  }
}

/** Weighs by size, and empty files a little, so that they count. Failed uploads weigh nothing. */
const weightOf = ({ state, file }: Upload): number =>
  state === 'failed' ? 0 : Math.max(1, file.size)

const sum = (numbers: readonly number[]): number =>
  numbers.reduce((total, number) => total + number, 0)

export function taskProgress(uploads: readonly Upload[]): TaskProgress | null {
  const { share, failed, isPaused } = totalsOf(uploads)
  if (!uploads.some(isUnfinished)) return null
  const isHeldUp = isPaused || uploads.some(({ state }) => state === 'interrupted')
  return {
    share: Math.round(share * 100) / 100,
    mode: isHeldUp ? 'paused' : failed > 0 ? 'error' : 'normal',
  }
}

/** 'Uploading 3 of 5 · 42.00 MB/s · About 2 minutes left' */
export function totalsText(uploads: readonly Upload[]): string {
  const { files, position, failed, isPaused, rate, bytesLeft } = totalsOf(uploads)
  const running = uploads.filter(isUnfinished)
  const [first] = running
  if (!first && failed === 0) return warnedText(uploads)
  if (!first) return `${formatQuantity(failed, 'upload')} failed`

  const count = files === 1 ? first.file.name : `${position} of ${files}`
  const parts = [`${isPaused ? 'Paused:' : 'Uploading'} ${count}`]
  if (failed > 0) parts.push(`${failed} failed`)
  if (!isPaused && rate !== undefined)
    parts.push(`${formatSize(Math.round(rate))}/s`, timeLeft(bytesLeft, rate))

  return parts.join(' · ')
}

/** '2 uploads finished with warnings' */
export function warnedText(uploads: readonly Upload[]): string {
  const count = uploads.filter(hasWarnings).length
  return `${formatQuantity(count, 'upload')} finished with warnings`
}
