import { Link } from '@tanstack/react-router'
import type { SearchText } from '../../scope/search-codec.ts'
import { useScope } from '../../scope/use-scope.ts'

const BASELINES = [
  { cmp: '', title: 'the calm stretch before' },
  { cmp: '1d', title: 'a day before' },
  { cmp: '7d', title: 'a week before' },
]

/** An argument stands and falls with what it calls usual: the same, held against another stretch. */
export function OtherBaseline() {
  const { cmp: now } = useScope()
  return (
    <p className="suspect-fact no-print">
      <span className="muted">or held against</span>
      {BASELINES.filter(({ cmp }) => cmp !== now).map(({ cmp, title }) => (
        <Link
          key={cmp}
          to="."
          search={(previous: SearchText) => {
            const { cmp: _, ...rest } = previous
            return cmp === '' ? rest : { ...rest, cmp }
          }}
        >
          {title}
        </Link>
      ))}
    </p>
  )
}
