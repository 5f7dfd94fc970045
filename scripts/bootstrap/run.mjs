import { spawn } from 'node:child_process'
import { constants } from 'node:os'

/**
 * Runs a program in our terminal and returns its exit code, as a shell would report it. `onStart`
 * gets the process, to read streams that it does not inherit.
 */
export function run(command, args, options = {}, onStart = () => undefined) {
  const child = spawn(command, args, { stdio: 'inherit', ...options })
  onStart(child)
  const release = passSignalsOn(child)
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => {
      release()
      resolve(code ?? 128 + (constants.signals[signal] ?? 0))
    })
  })
}

/**
 * Forwards our signals to the child. Ctrl+C in a terminal reaches the child directly, so there we
 * only wait.
 */
function passSignalsOn(child) {
  const forwardToPrimary = (signal) => void child.kill(signal)
  const wait = () => undefined
  const handlers = {
    SIGTERM: forwardToPrimary,
    SIGHUP: forwardToPrimary,
    SIGINT: process.stdin.isTTY ? wait : forwardToPrimary,
  }
  for (const [signal, handler] of Object.entries(handlers)) process.on(signal, handler)
  const watch = watchParent(() => child.kill('SIGTERM'))
  return () => {
    clearInterval(watch)
    for (const [signal, handler] of Object.entries(handlers)) process.off(signal, handler)
  }
}

/**
 * npm sends SIGTERM only to the shell between it and us, and that shell exits without forwarding
 * it.
 */
function watchParent(onLost) {
  const parent = process.ppid
  return setInterval(
    () => process.env.npm_lifecycle_event && process.ppid !== parent && onLost(),
    250,
  )
}
