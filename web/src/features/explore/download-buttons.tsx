import { csvOf, saveFile } from '../../ui/save-file.ts'
import type { ExploreSeries } from './series.ts'
import { SaveLinks } from './table-parts.tsx'

interface DownloadButtonsProps {
  /** Without an ending. */
  readonly file: string
  readonly series: readonly ExploreSeries[]
}

/** Every sample of every series that came back, not only what is drawn. */
export function DownloadButtons({ file, series }: DownloadButtonsProps) {
  function csv() {
    const names = [...new Set(series.flatMap(({ labels }) => Object.keys(labels)))].filter((name) => name !== 'cluster')
    const rows = series.flatMap(({ cluster, labels, at, values }) =>
      at.map((second, index) => [
        new Date(second * 1000).toISOString(),
        cluster,
        ...names.map((name) => labels[name] ?? ''),
        String(values[index] ?? ''),
      ]),
    )
    saveFile(`${file}.csv`, 'text/csv', csvOf(['time', 'cluster', ...names, 'value'], rows))
  }
  function json() {
    const rows = series.map(({ cluster, labels, at, values }) => ({
      cluster,
      labels,
      // JSON has no NaN and no infinity: those stay the text that Prometheus sends.
      samples: at.map((second, index) => [
        second,
        Number.isFinite(values[index]) ? values[index] : String(values[index]),
      ]),
    }))
    saveFile(`${file}.json`, 'application/json', JSON.stringify(rows))
  }
  return <SaveLinks csv={csv} json={json} />
}
