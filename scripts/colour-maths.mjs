/** Colour arithmetic on `#rrggbb`: WCAG contrast, CIEDE2000, and how colour-blind eyes see (Machado et al. 2009). */

export const EYES = ['normal', 'protan', 'deutan', 'tritan']

/** Severity 1.0, on linear RGB. */
const SEEN = {
  protan: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deutan: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritan: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
}

/** 1 to 21 (WCAG 2.2, relative luminance). */
export function contrast(one, other) {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return (light + 0.05) / (dark + 0.05)
}

/** A translucent `#rrggbbaa` laid over an opaque ground. */
export function over(tint, ground) {
  const alpha = tint.length === 9 ? Number.parseInt(tint.slice(7), 16) / 255 : 1
  const mixed = bytes(tint).map((value, index) => Math.round(value * alpha + bytes(ground)[index] * (1 - alpha)))
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`
}

/** CIEDE2000 between two colours as the given eyes see them. */
export function distance(one, other, eye) {
  return ciede2000(lab(seen(linear(one), eye)), lab(seen(linear(other), eye)))
}

function bytes(hex) {
  const long = hex.length === 4 ? `#${[...hex.slice(1)].map((digit) => digit + digit).join('')}` : hex
  return [1, 3, 5].map((at) => Number.parseInt(long.slice(at, at + 2), 16))
}

function linear(hex) {
  return bytes(hex).map((value) => {
    const part = value / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
}

function luminance(hex) {
  const [red, green, blue] = linear(hex)
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function seen(rgb, eye) {
  const matrix = SEEN[eye]
  if (matrix === undefined) return rgb
  return matrix.map((row) =>
    Math.min(
      1,
      Math.max(
        0,
        row.reduce((sum, factor, index) => sum + factor * rgb[index], 0),
      ),
    ),
  )
}

/** CIELAB under D65. */
function lab([red, green, blue]) {
  const x = (0.4124564 * red + 0.3575761 * green + 0.1804375 * blue) / 0.95047
  const y = 0.2126729 * red + 0.7151522 * green + 0.072175 * blue
  const z = (0.0193339 * red + 0.119192 * green + 0.9503041 * blue) / 1.08883
  const [fx, fy, fz] = [x, y, z].map((part) =>
    part > 216 / 24_389 ? Math.cbrt(part) : ((24_389 / 27) * part) / 116 + 16 / 116,
  )
  return [116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)]
}

/** Sharma, Wu and Dalal 2005, whose published pairs the test holds. */
export function ciede2000([l1, a1, b1], [l2, a2, b2]) {
  const degrees = (radians) => (radians * 180) / Math.PI
  const cos = (angle) => Math.cos((angle * Math.PI) / 180)
  const meanC = (Math.hypot(a1, b1) + Math.hypot(a2, b2)) / 2
  const g = 0.5 * (1 - Math.sqrt(meanC ** 7 / (meanC ** 7 + 25 ** 7)))
  const polar = (a, b) => {
    const stretched = (1 + g) * a
    const hue = stretched === 0 && b === 0 ? 0 : (degrees(Math.atan2(b, stretched)) + 360) % 360
    return [Math.hypot(stretched, b), hue]
  }
  const [c1, h1] = polar(a1, b1)
  const [c2, h2] = polar(a2, b2)
  const grey = c1 * c2 === 0
  let dh = grey ? 0 : h2 - h1
  if (dh > 180) dh -= 360
  if (dh < -180) dh += 360
  const deltaL = l2 - l1
  const deltaC = c2 - c1
  const deltaH = 2 * Math.sqrt(c1 * c2) * Math.sin((dh * Math.PI) / 360)
  const l = (l1 + l2) / 2
  const c = (c1 + c2) / 2
  let h = h1 + h2
  if (!grey) h = Math.abs(h1 - h2) <= 180 ? h / 2 : h < 360 ? (h + 360) / 2 : (h - 360) / 2
  const t = 1 - 0.17 * cos(h - 30) + 0.24 * cos(2 * h) + 0.32 * cos(3 * h + 6) - 0.2 * cos(4 * h - 63)
  const sl = 1 + (0.015 * (l - 50) ** 2) / Math.sqrt(20 + (l - 50) ** 2)
  const sc = 1 + 0.045 * c
  const sh = 1 + 0.015 * c * t
  const turn = 60 * Math.exp(-(((h - 275) / 25) ** 2))
  const rt = -2 * Math.sqrt(c ** 7 / (c ** 7 + 25 ** 7)) * Math.sin((turn * Math.PI) / 180)
  return Math.sqrt((deltaL / sl) ** 2 + (deltaC / sc) ** 2 + (deltaH / sh) ** 2 + rt * (deltaC / sc) * (deltaH / sh))
}
