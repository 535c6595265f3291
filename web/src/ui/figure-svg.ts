const SVG = 'http://www.w3.org/2000/svg'
const HEAD_PX = 34
const FOOT_PX = 26
const PAD_PX = 12

/** Of a drawing, what style sheets may have set; outside the page there are none. */
const DRAWN = [
  ...['fill', 'fill-opacity', 'fill-rule', 'stroke', 'stroke-width', 'stroke-opacity', 'stroke-dasharray'],
  ...['stroke-linecap', 'stroke-linejoin', 'paint-order', 'opacity', 'visibility', 'display', 'color'],
  ...['font-family', 'font-size', 'font-weight', 'font-style', 'text-anchor', 'dominant-baseline'],
]

export interface FigureText {
  readonly title: string
  /** Which window, of what, from where: a picture travels without its page. */
  readonly note: string
}

/** A figure of the page - drawings, cards, words - as one SVG that needs no style sheet and no font of ours. */
export function figureSvg(
  root: HTMLElement,
  { title, note }: FigureText,
): { text: string; width: number; height: number } {
  const frame = root.getBoundingClientRect()
  // What scrolls inside its frame is drawn whole.
  const width = Math.ceil(Math.max(root.scrollWidth, frame.width)) + 2 * PAD_PX
  const height = Math.ceil(Math.max(root.scrollHeight, frame.height)) + HEAD_PX + FOOT_PX
  const page = getComputedStyle(document.documentElement)
  const svg = document.createElementNS(SVG, 'svg')
  set(svg, { xmlns: SVG, width, height, viewBox: `0 0 ${width} ${height}`, role: 'img' })
  const name = document.createElementNS(SVG, 'title')
  name.textContent = title
  svg.append(name)
  svg.append(rect(0, 0, width, height, { fill: page.getPropertyValue('--surface').trim() || page.backgroundColor }))
  const family = getComputedStyle(document.body).fontFamily
  const ink = getComputedStyle(document.body).color
  svg.append(words(title, PAD_PX, 22, { 'font-family': family, 'font-size': '15', 'font-weight': '600', fill: ink }))
  svg.append(
    words(note, PAD_PX, height - 9, {
      'font-family': family,
      'font-size': '11',
      fill: page.getPropertyValue('--muted').trim(),
    }),
  )
  const shift = { x: PAD_PX - frame.left + root.scrollLeft, y: HEAD_PX - frame.top + root.scrollTop }
  svg.append(...drawn(root, shift))
  return { text: new XMLSerializer().serializeToString(svg), width, height }
}

/** Pixels of it, at twice the size: pictures are looked at on dense screens and on paper. */
export async function figurePng(svg: { text: string; width: number; height: number }): Promise<Blob> {
  const image = new Image()
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg.text)}`
  await image.decode()
  const canvas = document.createElement('canvas')
  canvas.width = svg.width * 2
  canvas.height = svg.height * 2
  const context = canvas.getContext('2d')
  if (!context) throw new Error('this browser cannot draw pictures')
  context.drawImage(image, 0, 0, canvas.width, canvas.height)
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('the picture is too large'))), 'image/png')
  })
}

interface Shift {
  readonly x: number
  readonly y: number
}

function drawn(element: Element, shift: Shift): Element[] {
  const style = getComputedStyle(element)
  const hidden = style.display === 'none' || style.visibility === 'hidden' || style.clipPath === 'inset(50%)'
  if (hidden || element.matches('.no-print, button.button-link, dialog')) return []
  if (element instanceof SVGSVGElement) return [drawing(element, shift)]
  if (element instanceof HTMLCanvasElement) return [pixels(element, shift)]
  const inner = [...element.childNodes].flatMap((child) =>
    child instanceof Element ? drawn(child, shift) : child instanceof Text ? lines(child, style, shift) : [],
  )
  const parts = [...box(element, style, shift), ...inner]
  if (style.opacity === '1' || parts.length === 0) return parts
  const group = document.createElementNS(SVG, 'g')
  set(group, { opacity: style.opacity })
  group.append(...parts)
  return [group]
}

/** A drawing with what the page's style sheets give it. */
function drawing(svg: SVGSVGElement, { x, y }: Shift): Element {
  const copy = svg.cloneNode(true) as SVGSVGElement
  const originals = [svg, ...svg.querySelectorAll('*')]
  for (const [index, element] of [copy, ...copy.querySelectorAll('*')].entries()) {
    const original = originals[index]
    if (!original) continue
    const style = getComputedStyle(original)
    for (const property of DRAWN) element.setAttribute(property, style.getPropertyValue(property))
    element.removeAttribute('class')
    element.removeAttribute('style')
    if (original instanceof SVGTextElement && original.childElementCount === 0)
      set(element, asWideAs(original.getComputedTextLength()))
  }
  const { left, top, width, height } = svg.getBoundingClientRect()
  set(copy, { x: left + x, y: top + y, width, height, overflow: 'visible' })
  return copy
}

/** What was painted, as pixels inside the picture. */
function pixels(canvas: HTMLCanvasElement, { x, y }: Shift): Element {
  const { left, top, width, height } = canvas.getBoundingClientRect()
  const image = document.createElementNS(SVG, 'image')
  set(image, { x: left + x, y: top + y, width, height, href: canvas.toDataURL('image/png') })
  return image
}

function box(element: Element, style: CSSStyleDeclaration, { x, y }: Shift): Element[] {
  const { left, top, width, height } = element.getBoundingClientRect()
  const border = Number.parseFloat(style.borderTopWidth)
  const lined = border > 0 && style.borderTopStyle !== 'none' && style.borderLeftStyle !== 'none'
  const filled = !/^(transparent|rgba\(.*, 0\))$/.test(style.backgroundColor)
  if (width === 0 || height === 0 || (!lined && !filled)) return []
  const inset = lined ? border / 2 : 0
  return [
    rect(left + x + inset, top + y + inset, width - 2 * inset, height - 2 * inset, {
      rx: Math.min(Number.parseFloat(style.borderTopLeftRadius) || 0, height / 2),
      fill: filled ? style.backgroundColor : 'none',
      ...(lined ? { stroke: style.borderTopColor, 'stroke-width': border } : {}),
      ...(lined && style.borderTopStyle === 'dashed' ? { 'stroke-dasharray': '4 3' } : {}),
    }),
  ]
}

/** The text of one node, a line of the page a line of the picture. */
function lines(node: Text, style: CSSStyleDeclaration, { x, y }: Shift): Element[] {
  const found: { text: string; left: number; top: number; right: number; height: number }[] = []
  const range = document.createRange()
  for (const { 0: word, index } of node.data.matchAll(/\S+/g)) {
    range.setStart(node, index)
    range.setEnd(node, index + word.length)
    const { left, top, right, height } = range.getBoundingClientRect()
    const last = found.at(-1)
    if (last && Math.abs(last.top - top) < 3) {
      last.text += ` ${word}`
      last.right = right
    } else if (right > left) found.push({ text: word, left, top, right, height })
  }
  return found.map(({ text, left, top, right, height }) =>
    words(text, left + x, top + y + height * 0.78, {
      'font-family': style.fontFamily,
      'font-size': style.fontSize,
      'font-weight': style.fontWeight,
      'font-style': style.fontStyle,
      fill: style.color,
      ...asWideAs(right - left),
    }),
  )
}

/** A font that the page fetched is no part of the picture: one that stands in for it keeps to the same room. */
function asWideAs(px: number) {
  return px > 0 ? { textLength: px, lengthAdjust: 'spacingAndGlyphs' } : {}
}

function words(text: string, x: number, y: number, attributes: Readonly<Record<string, string | number>>): Element {
  const element = document.createElementNS(SVG, 'text')
  set(element, { x, y, ...attributes })
  element.textContent = text
  return element
}

function rect(
  x: number,
  y: number,
  width: number,
  height: number,
  attributes: Readonly<Record<string, string | number>>,
): Element {
  const element = document.createElementNS(SVG, 'rect')
  set(element, { x, y, width, height, ...attributes })
  return element
}

function set(element: Element, attributes: Readonly<Record<string, string | number>>): void {
  for (const [name, value] of Object.entries(attributes))
    element.setAttribute(name, typeof value === 'number' ? String(Math.round(value * 100) / 100) : value)
}
