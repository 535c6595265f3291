import { findPrometheus } from './find.ts'

/** Prints the path of a Prometheus binary, for tests that need one: `node deploy/demo/dist/prometheus/cli.js`. */
try {
  const { path, version, source } = await findPrometheus({ onProgress: (line) => console.error(line) })
  console.error(`Prometheus ${version} (${source})`)
  console.log(path)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
