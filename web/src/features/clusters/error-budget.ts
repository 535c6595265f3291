/** What a link to a Prometheus is held to. */
const TARGET = 0.999
const ALLOWED = 1 - TARGET

/**
 * How much of the failures that 99.9 % allows among these requests there were; null where nothing was asked. Of few
 * requests the first failure is more than that.
 */
export function errorBudgetWords({ answered, failed }: { answered: number; failed: number }): string | null {
  const total = answered + failed
  if (total === 0) return null
  if (failed === 0) return 'error budget (99.9 %) untouched'
  const share = failed / (total * ALLOWED)
  if (share <= 1) return `${Math.ceil(share * 100 - 1e-9)} % of the error budget (99.9 %) used`
  const times = share < 10 ? share.toFixed(1) : String(Math.round(share))
  return `error budget (99.9 %) overspent: ${times} times what it allows`
}
