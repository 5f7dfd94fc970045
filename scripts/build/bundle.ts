import { build, createLogger, type InlineConfig, type Plugin } from 'vite'
import { packCommand } from './command-package'
import { commandBundle, desktopBundles, serverBundle } from './node-bundles'
import { ShippedPackages } from './shipped-packages'

const page: InlineConfig = { configFile: 'vite.config.ts', logLevel: 'warn' }
const shipped = new ShippedPackages()

/** Without the warning that plugins are slow: on a busy machine they are. */
const patient: Plugin = {
  name: 'patient',
  config: () => ({ build: { rolldownOptions: { checks: { bundlerTimings: false } } } }),
}

/** Ignored warnings hide new ones, so each fails the build. */
const warnings = new Set<string>()
const customLogger = createLogger('warn')
customLogger.warn = customLogger.warnOnce = (message) => void warnings.add(message)

/** Builds dist/: page, server, command, desktop main process and preload script. */
const bundles = [page, serverBundle, commandBundle, ...desktopBundles].map((bundle) =>
  build({ ...bundle, customLogger, plugins: [bundle.plugins, shipped.plugin(), patient] }),
)
const failed = (await Promise.allSettled(bundles)).filter((result) => result.status === 'rejected')
for (const { reason } of failed) console.error(reason instanceof Error ? reason.message : reason)
for (const warning of warnings) console.error(warning)
if (failed.length > 0 || warnings.size > 0) process.exitCode = 1
else {
  await shipped.writeLicences('dist/renderer/licences.txt')
  await shipped.writeBill('dist/renderer/sbom.cdx.json')
  await packCommand('dist/cli/cli.mjs', 'dist/renderer')
}
