import './tool-links.css'
import type { Tool } from '@goldseam/server/contract'
import { useQuery } from '@tanstack/react-query'
import { toolsQuery } from '../api/tool-queries.ts'
import { fillTemplate, fitsGlob } from '../format/url-template.ts'
import { parseWorkloadId } from '../format/workload-name.ts'

interface ToolLinksProps {
  /** A workload's id, or the name of a cluster. */
  readonly of: string
  /** The window on screen, milliseconds since 1970. */
  readonly fromMs: number
  readonly toMs: number
}

/** The same workload or cluster in other tools, at the same time. Nothing where the config names none. */
export function ToolLinks({ of, fromMs, toMs }: ToolLinksProps) {
  const { data } = useQuery(toolsQuery())
  const links = (data?.tools ?? []).flatMap((tool) => {
    const href = hrefOf(tool, of, fromMs, toMs)
    return href === null ? [] : [{ name: tool.name, href }]
  })
  if (links.length === 0) return null
  return (
    <span className="tool-links">
      <span className="muted">open in</span>
      {links.map(({ name, href }) => (
        <a key={`${name} ${href}`} href={href} target="_blank" rel="noopener noreferrer">
          {name}
        </a>
      ))}
    </span>
  )
}

/** Null where the tool does not know this workload or cluster. */
export function hrefOf(tool: Tool, of: string, fromMs: number, toMs: number): string | null {
  const id = parseWorkloadId(of)
  const cluster = id?.cluster ?? of
  if ((tool.for === 'workload') !== (id !== null)) return null
  if (tool.clusters.length > 0 && !tool.clusters.some((glob) => fitsGlob(glob, cluster))) return null
  if (id !== null && tool.workloads.length > 0 && !tool.workloads.some((glob) => fitsGlob(glob, of))) return null
  const colon = id?.name.indexOf(':') ?? -1
  return fillTemplate(tool.url, {
    cluster,
    ...(id === null
      ? {}
      : {
          id: of,
          namespace: id.namespace,
          kind: colon < 0 ? 'deployment' : id.name.slice(0, colon),
          name: id.name.slice(colon + 1),
        }),
    from: new Date(fromMs).toISOString(),
    to: new Date(toMs).toISOString(),
    fromMs: String(Math.round(fromMs)),
    toMs: String(Math.round(toMs)),
    fromSeconds: String(Math.round(fromMs / 1000)),
    toSeconds: String(Math.round(toMs / 1000)),
  })
}
