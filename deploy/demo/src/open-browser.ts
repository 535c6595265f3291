import { spawn } from 'node:child_process'

/** Opens a page for somebody who sits in front of this machine; never in CI, and never a reason to fail. */
export function openBrowser(url: string, env: NodeJS.ProcessEnv = process.env): void {
  const hasDesktop = process.platform === 'darwin' || Boolean(env.DISPLAY || env.WAYLAND_DISPLAY)
  if (!process.stdout.isTTY || !hasDesktop || env.CI) return
  const child = spawn(process.platform === 'darwin' ? 'open' : 'xdg-open', [url], { stdio: 'ignore', detached: true })
  child.on('error', () => {})
  child.unref()
}
