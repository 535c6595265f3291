import FONT from '../font/font.css?inline'

/** What stands there while there is no picture: plain elements, so that nothing of the picture can break it. */
export class Cover {
  readonly element: HTMLElement
  readonly #title: HTMLElement
  readonly #detail: HTMLElement
  readonly #age: HTMLElement

  constructor() {
    this.element = document.createElement('div')
    this.element.className = 'cover'
    this.element.setAttribute('role', 'status')
    const line = (name: string) => {
      const element = document.createElement('p')
      element.className = name
      this.element.append(element)
      return element
    }
    line('brand').textContent = 'GOLDSEAM'
    this.#title = line('title')
    this.#age = line('age')
    this.#detail = line('detail')
  }

  show(title: string, age: string, detail: string): void {
    this.element.hidden = false
    setText(this.#title, title)
    setText(this.#age, age)
    setText(this.#detail, detail)
  }

  hide(): void {
    this.element.hidden = true
  }
}

function setText(element: HTMLElement, text: string): void {
  if (element.textContent !== text) element.textContent = text
}

/** In one text with the rest of the shell, so that a new shell never stands there without its looks. */
export const STYLES = `${FONT}
html { color-scheme: dark; background: #0e1116; }
body { margin: 0; overflow: hidden; background: #0e1116; }
.wall-shell, .wall-shell iframe, .wall-shell .cover { position: fixed; inset: 0; width: 100%; height: 100%; border: 0; }
.wall-shell .cover { box-sizing: border-box; padding: 6vh 5vw; display: flex; flex-direction: column; justify-content: center;
  gap: 2vh; color: #eef1f5; font: 4.7vmin var(--font);
  background: repeating-linear-gradient(45deg, #151a21 0 3vmin, #0e1116 3vmin 6vmin); }
.wall-shell .cover[hidden] { display: none; }
.wall-shell p { margin: 0; }
.wall-shell .brand { color: #c9a227; letter-spacing: 0.1em; }
.wall-shell .title { font-size: 9vmin; font-weight: 600; }
.wall-shell .detail { color: #a9b2bd; }
`
