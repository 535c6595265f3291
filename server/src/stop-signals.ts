type Stop = (signal: NodeJS.Signals) => void

/** Until there is something to finish, a signal ends the process at once. */
let stop: Stop = () => process.exit(0)

// As process 1 of a container Node is ended by no signal that it does not listen to: it does so before anything else.
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stop(signal))

/** From now on a signal does this. */
export function onStop(next: Stop): void {
  stop = next
}
