/** A worker whose Vitest was killed ends too, and not only when its test is over. */
const endWithRunner = () => process.kill(process.pid, 'SIGKILL')

// Each test file of a worker comes here anew.
if (!process.listeners('disconnect').some(({ name }) => name === endWithRunner.name))
  process.once('disconnect', endWithRunner)
