import { Component, type ReactNode } from 'react'

interface TileProps {
  readonly name: string
  /** Of the part, pixels: what is below it stays in its place. */
  readonly height?: number
  /** Of the frame that is drawn: a new one is a new try. */
  readonly seq: number
  readonly children: ReactNode
}

interface TileState {
  readonly brokenAt: number | null
}

/** A part of the wall that can break without the others: hatched, and tried again with the next frame. */
export class Tile extends Component<TileProps, TileState> {
  override state: TileState = { brokenAt: null }

  static getDerivedStateFromError(): TileState {
    return { brokenAt: Number.NaN }
  }

  static getDerivedStateFromProps({ seq }: TileProps, { brokenAt }: TileState): TileState | null {
    if (brokenAt === null) return null
    if (Number.isNaN(brokenAt)) return { brokenAt: seq }
    return brokenAt === seq ? null : { brokenAt: null }
  }

  override render(): ReactNode {
    if (this.state.brokenAt === null) return this.props.children
    return (
      <div className="tile-error" role="status" style={{ height: this.props.height }}>
        {this.props.name}: tile error
      </div>
    )
  }
}
