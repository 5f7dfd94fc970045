import { spawn } from 'node:child_process'
import { constants } from 'node:os'

/**
 * Runs a program in our terminal until it ends and answers its exit code, as a shell would count it.
 * Signals that we get go on to it. Ctrl+C in a terminal reaches it without us.
 */
export function run(command, args, options = {}) {
  const child = spawn(command, args, { stdio: 'inherit', ...options })
  const passOn = (signal) => void child.kill(signal)
  const signals = ['SIGTERM', 'SIGHUP', ...(process.stdin.isTTY ? [] : ['SIGINT'])]
  for (const signal of signals) process.on(signal, passOn)
  const ignore = () => undefined
  process.on('SIGINT', ignore)

  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => {
      for (const name of signals) process.off(name, passOn)
      process.off('SIGINT', ignore)
      resolve(code ?? 128 + (constants.signals[signal] ?? 0))
    })
  })
}
