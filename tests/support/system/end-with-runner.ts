/** A worker whose Vitest was killed ends too, and not only when its test is over. */
process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'))
