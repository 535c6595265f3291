import { memo, useMemo } from 'react'
import { encode } from 'uqr'

/** Two modules of quiet zone are drawn, two more are the light card around it. */
const BORDER = 2

/** An address as a QR code, dark on light as cameras want it. */
export const Qr = memo(function Qr({ address }: { readonly address: string }) {
  const { size, path } = useMemo(() => {
    const code = encode(address, { ecc: 'M', border: BORDER })
    const dark = code.data.flatMap((line, y) => line.flatMap((on, x) => (on ? [`M${x} ${y}h1v1h-1z`] : [])))
    return { size: code.size, path: dark.join('') }
  }, [address])
  return (
    <svg
      className="qr"
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={`QR code: ${address}`}
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#eef1f5" />
      <path d={path} fill="#0e1116" />
    </svg>
  )
})
