import { createServer } from 'node:net'
import { SetupProblem } from './setup-problem.ts'

/** `flag` names the option that takes another port. */
export async function requireFreePort(port: number, whose: string, flag: string): Promise<void> {
  const free = await new Promise<boolean>((resolve, reject) => {
    const probe = createServer()
    probe.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(false)
      else reject(new SetupProblem(`Port ${port} for ${whose} cannot be used: ${error.message}`))
    })
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })
  if (free) return
  throw new SetupProblem(
    `Port ${port} for ${whose} is in use. See what holds it with \`ss -ltnp 'sport = :${port}'\` (or \`lsof -i :${port}\`), stop that, or choose another port with ${flag}.`,
  )
}
