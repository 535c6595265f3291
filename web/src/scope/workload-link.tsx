import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { parseEdgeId, parseWorkloadId, shortName } from '../format/workload-name.ts'
import { keepScope } from './scope-search.ts'

interface WorkloadLinkProps {
  readonly id: string
  readonly children?: ReactNode
  readonly className?: string
  readonly hash?: string
}

/** A link to a workload's page; for a way between two (`from~to`) to its caller's page. Plain text where nobody has a page. */
export function WorkloadLink({ id, children, className, hash }: WorkloadLinkProps) {
  const target = parseWorkloadId(parseEdgeId(id)?.from ?? id)
  const text = children ?? shortName(id)
  if (!target) return <span className={className}>{text}</span>
  return (
    <Link
      to="/d/$cluster/$ns/$name"
      params={{ cluster: target.cluster, ns: target.namespace, name: target.name }}
      search={keepScope}
      {...(hash === undefined ? {} : { hash })}
      {...(className === undefined ? {} : { className })}
    >
      {text}
    </Link>
  )
}
