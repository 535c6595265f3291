const MM_PER_INCH = 25.4
const ARCMIN = Math.PI / (180 * 60)

/** What body text subtends at the farthest seat; captions get four fifths of it, which is the minimum of 16. */
export const BODY_ARCMIN = 20

/** Height in millimetres of what subtends an angle (arc minutes) at a distance (metres): 2 d tan(angle / 2). */
export function heightMm(distanceMetres: number, arcmin: number): number {
  return 2 * distanceMetres * 1_000 * Math.tan((arcmin * ARCMIN) / 2)
}

export interface Screen {
  readonly inch: number
  readonly distanceMetres: number
  /** Of the whole picture, CSS pixels. */
  readonly width: number
  readonly height: number
}

/** Height of capitals, in CSS pixels, that subtends an angle. From the diagonal, so that it holds upright and across. */
export function capPx({ inch, distanceMetres, width, height }: Screen, arcmin: number): number {
  const pxPerMm = Math.hypot(width, height) / (inch * MM_PER_INCH)
  return heightMm(distanceMetres, arcmin) * pxPerMm
}

/** The wall's unit, in CSS pixels: the font size whose capitals subtend 20' at the farthest seat. */
export function unitPx(screen: Screen, capRatio: number): number {
  return capPx(screen, BODY_ARCMIN) / capRatio
}

/** Cap height / font size of the font that the browser really took; fonts differ by a twentieth. */
export function measureCapRatio(family: string): number {
  const usual = 0.72
  const context = document.createElement('canvas').getContext('2d')
  if (context === null) return usual
  context.font = `1000px ${family}`
  const { actualBoundingBoxAscent } = context.measureText('H')
  return actualBoundingBoxAscent > 500 && actualBoundingBoxAscent < 950 ? actualBoundingBoxAscent / 1_000 : usual
}
