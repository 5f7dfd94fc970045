import { lockDataDir } from '../../../server/data/folder/lock/lock'

/**
 * A process that takes the lock of a folder, says whether it has it, and keeps it until it is
 * ended.
 */
async function main(dir: string): Promise<void> {
  try {
    const lock = await lockDataDir(dir)
    process.stdout.write('held\n')
    process.stdin.on('end', () => void lock.release().then(() => process.exit(0))).resume()
  } catch (error) {
    process.stdout.write(`${(error as Error).message}\n`)
    process.exit(1)
  }
}

void main(process.argv[2] ?? '')
