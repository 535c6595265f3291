import { spawn } from 'node:child_process'

/** Settings of an outer npm that would change what a nested npm installs. Registry, proxy and CA settings stay. */
const MISLEADING =
  /^npm_config_(workspaces?|include_workspace_root|omit|include|only|also|production|dev|optional|ignore_scripts|global|prefix|location|dry_run|package_lock|package_lock_only|save.*|install_strategy|legacy_bundling|global_style|install_links|if_present)$/i

/** The environment for programs that set-up runs: as if called from a plain shell. */
export function cleanEnvironment() {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !MISLEADING.test(name)))
  // With it npm leaves out what builds and tests the project.
  if (env.NODE_ENV === 'production') delete env.NODE_ENV
  return env
}

/**
 * Runs a program and waits. `output: 'shown'` streams it, `'kept'` holds it back to be shown when it fails,
 * `'answer'` keeps standard output and streams the rest.
 * SIGINT and SIGTERM end the program with all its children, and then this process with `signalExitCode`.
 * Gives `{ code, text }`; a program that cannot be started has code 127.
 */
export function runStep(command, args, { env = cleanEnvironment(), output = 'kept', signalExitCode = null } = {}) {
  return new Promise((resolve) => {
    const stdio = {
      shown: ['ignore', 'inherit', 'inherit'],
      kept: ['ignore', 'pipe', 'pipe'],
      answer: ['ignore', 'pipe', 'inherit'],
    }[output]
    // A process group of its own: a signal to the group reaches npm's children too, whatever npm does with it.
    const child = spawn(command, args, { env, stdio, detached: process.platform !== 'win32' })
    const chunks = []
    child.stdout?.on('data', (chunk) => chunks.push(chunk))
    child.stderr?.on('data', (chunk) => chunks.push(chunk))

    const stop = (signal) => {
      // The same signal: Playwright, for one, tidies up on SIGINT only.
      killGroup(child, signal)
      setTimeout(() => killGroup(child, 'SIGKILL'), 5_000).unref()
      const usual = signal === 'SIGINT' ? 130 : 143
      child.once('exit', () => process.exit(signalExitCode ?? usual))
    }
    process.on('SIGINT', stop)
    process.on('SIGTERM', stop)
    const done = (code, text) => {
      process.off('SIGINT', stop)
      process.off('SIGTERM', stop)
      resolve({ code, text })
    }
    child.on('error', (error) => done(127, error.message))
    child.on('close', (code) => done(code ?? 1, Buffer.concat(chunks).toString()))
  })
}

function killGroup(child, signal) {
  if (child.pid === undefined || child.exitCode !== null) return
  try {
    if (process.platform === 'win32') child.kill(signal)
    else process.kill(-child.pid, signal)
  } catch {
    // It has ended meanwhile.
  }
}
