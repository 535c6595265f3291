/** What is told of a pattern by its text, without compiling it. */
export interface PatternShape {
  /** Its characters once its counts are written out; more where many places have to be followed at once. */
  readonly steps: number
  /** False: it does not match the empty text. True: that has to be tried. */
  readonly mayBeEmpty: boolean
}

/** Each is a second place to go on from: a program of thousands of them keeps thousands of places at every character. */
const BRANCH_STEPS = 10
/** A class such as `\pL` has some hundred ranges. */
const TABLE_STEPS = 200
/** RE2 refuses larger counts, and of nested ones larger products. */
const LARGEST_COUNT = 1_001

/** RE2's syntax, as in https://github.com/google/re2/wiki/Syntax. Parts in braces are bounded, to be read once only. */
const PIECES = new RegExp(
  [
    /\\Q(?<quoted>.*?)(?:\\E|$)/,
    /(?<flags>\(\?[a-zA-Z-]*\))/,
    /(?<place>\\[BAz]|[\^$])/,
    /(?<one>\\[pPx]\{[^}]{0,40}\}|\\[pP].|\\x..|\\[0-7]{1,3}|\\.|\[\^?\]?(?:\[:\w*:\]|\\.|[^\]\\])*\]?)/,
    /(?<open>\((?:\?(?:P?<\w*>|[a-zA-Z-]*:))?)/,
    /(?<close>\))/,
    /(?<or>\|)/,
    /(?<loop>[*+?])\??/,
    /\{(?<from>\d+)(?<more>,(?<to>\d*))?\}\??/,
    /./,
  ]
    .map(({ source }) => source)
    .join('|'),
  'gs',
)

/** What one piece may be, and all within one pair of parentheses. */
interface Group {
  /** Of what was read, without its last piece, which may still be repeated. */
  steps: number
  /** Since the last `|`. */
  isEmpty: boolean
  /** An alternative before it. */
  wasEmpty: boolean
  last: PatternShape
}

const NOTHING: PatternShape = { steps: 0, mayBeEmpty: true }

export function shapeOf(pattern: string): PatternShape {
  const open: Group[] = []
  let group = opened(0)
  for (const { 0: text, groups = {} } of pattern.matchAll(PIECES)) {
    const { quoted, place, one, loop, from } = groups
    // Of these a count after them takes no notice: it repeats what stands before.
    if (groups.flags !== undefined || quoted === '') continue
    if (groups.open !== undefined) {
      open.push(group)
      group = opened(text.length)
    } else if (groups.close !== undefined) {
      const inner = shapeOfGroup(group)
      // One too many is for RE2 to refuse.
      group = open.pop() ?? opened(0)
      add(group, { ...inner, steps: inner.steps + 1 })
    } else if (groups.or !== undefined) {
      add(group, NOTHING)
      group.wasEmpty ||= group.isEmpty
      group.isEmpty = true
      group.steps += BRANCH_STEPS
    } else if (loop !== undefined) {
      const { steps, mayBeEmpty } = group.last
      group.last = { steps: steps + BRANCH_STEPS, mayBeEmpty: mayBeEmpty || loop !== '+' }
    } else if (from !== undefined) group.last = repeated(group.last, from, groups.more, groups.to)
    else {
      const tables = one?.match(/\\p/gi)?.length ?? 0
      add(group, { steps: text.length + tables * TABLE_STEPS, mayBeEmpty: place !== undefined })
    }
  }
  for (let outer = open.pop(); outer !== undefined; outer = open.pop()) {
    add(outer, shapeOfGroup(group))
    group = outer
  }
  return shapeOfGroup(group)
}

function opened(steps: number): Group {
  return { steps, isEmpty: true, wasEmpty: false, last: NOTHING }
}

function add(group: Group, piece: PatternShape): void {
  group.steps += group.last.steps
  group.isEmpty &&= group.last.mayBeEmpty
  group.last = piece
}

function shapeOfGroup({ steps, isEmpty, wasEmpty, last }: Group): PatternShape {
  return { steps: steps + last.steps, mayBeEmpty: wasEmpty || (isEmpty && last.mayBeEmpty) }
}

/** `x{2,4}` is `xx(x(x)?)?`, `x{2,}` is `xx+`. */
function repeated({ steps, mayBeEmpty }: PatternShape, from: string, more?: string, to?: string): PatternShape {
  const least = Math.min(Number(from), LARGEST_COUNT)
  const most = to ? Math.min(Number(to), LARGEST_COUNT) : least
  const branches = more !== undefined && !to ? 1 : Math.max(0, most - least)
  return { steps: steps * Math.max(1, most) + branches * BRANCH_STEPS, mayBeEmpty: mayBeEmpty || least === 0 }
}
