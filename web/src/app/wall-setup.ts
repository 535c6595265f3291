const SCREEN = ['inch', 'dist', 'c', 'ns', 'pages', 'rotate', 'night', 'safe', 'theme'] as const

/** The address a screen opens; what keeps its default stays away. The token is behind the #, which no server sees. */
export function wallAddress(origin: string, values: Readonly<Record<string, string>>, token: string | null): string {
  const given = SCREEN.flatMap((name) => {
    const value = (values[name] ?? '').trim()
    return value === '' ? [] : [`${name}=${encodeURIComponent(value).replaceAll('%2C', ',').replaceAll('%2B', '+')}`]
  })
  const query = given.length === 0 ? '' : `?${given.join('&')}`
  return `${origin}/wall${query}${token === null ? '' : `#token=${token}`}`
}

/** The same as in deploy/wall, which a test holds equal. */
export function chromiumFlags(address: string): string[] {
  return [
    '--kiosk',
    '--noerrdialogs',
    '--disable-session-crashed-bubble',
    '--disable-infobars',
    '--disable-features=Translate',
    '--no-first-run',
    '--password-store=basic',
    `"${address}"`,
  ]
}

/** `east, west`: what a limit holds. */
export function listOf(text: string | undefined): string[] {
  return (text ?? '').split(/[\s,]+/).filter((item) => item !== '')
}

/** Waits for the server before it opens the browser, and opens it again whenever it ends. */
export function systemdUnit(address: string): string {
  const { origin } = new URL(address)
  return `[Unit]
Description=Goldseam wall
After=network-online.target graphical.target
Wants=network-online.target

[Service]
# Who is signed in on the screen. Chromium does not run as root.
User=kiosk
Environment=DISPLAY=:0
# A browser's own error page cannot mend itself: not before the server answers.
ExecStartPre=/bin/sh -c 'until curl -fsS -o /dev/null ${origin}/readyz; do sleep 2; done'
ExecStart=/usr/bin/chromium ${chromiumFlags(address).join(' ').replaceAll('%', '%%')}
Restart=always
RestartSec=5

[Install]
WantedBy=graphical.target
`
}
