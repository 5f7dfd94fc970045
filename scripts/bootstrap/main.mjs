/**
 * Runs the steps of a command and exits with the code that they answer; a failure is one sentence,
 * not a stack.
 */
export async function main(steps) {
  try {
    process.exitCode = await steps()
  } catch (cause) {
    console.error(cause instanceof Error ? cause.message : cause)
    process.exitCode = 1
  }
}
