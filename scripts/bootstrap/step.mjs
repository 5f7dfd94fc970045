const SAY_AGAIN_MS = 30_000
/** Writes over the last line of a terminal. */
const LINE_BEFORE = '\x1b[1A\x1b[2K'

/**
 * Does the work and shows its duration: `1 of 3 · Installing 752 packages … 42 s`. A terminal
 * shows the seconds as they pass, and a log gets a line every 30 seconds.
 */
export async function step(number, text, work) {
  const title = `${number} of 3 · ${text} …`
  const start = Date.now()
  const { isTTY } = process.stdout
  const say = () =>
    console.log(`${isTTY ? LINE_BEFORE : ''}${title} ${describeTime(Date.now() - start)}`)

  console.log(title)
  const timer = setInterval(say, isTTY ? 1000 : SAY_AGAIN_MS)
  try {
    const result = await work()
    say()
    return result
  } finally {
    clearInterval(timer)
  }
}

function describeTime(ms) {
  const seconds = Math.round(ms / 1000)
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}
