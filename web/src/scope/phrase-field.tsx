import type { FormEvent, ReactNode } from 'react'

interface PhraseFieldProps {
  readonly label: string
  readonly typed: string
  readonly type: (text: string) => void
  readonly placeholder: string
  /** What is understood so far, or what could be. */
  readonly meaning: ReactNode
  /** Names the meaning on the page. */
  readonly meaningId: string
  readonly action: string
  readonly disabled: boolean
  readonly submit: () => void
  readonly children?: ReactNode
}

/** A stretch of time typed in words, and at once said back as it is understood. */
export function PhraseField(props: PhraseFieldProps) {
  const { label, typed, type, placeholder, meaning, meaningId, action, disabled, submit, children } = props
  function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    submit()
  }
  return (
    <form className="menu-form" onSubmit={onSubmit}>
      <label>
        {label}
        <input
          className="field"
          value={typed}
          onChange={({ target }) => type(target.value)}
          placeholder={placeholder}
          aria-describedby={meaningId}
          maxLength={100}
          size={26}
          spellCheck={false}
          autoComplete="off"
        />
      </label>
      <p id={meaningId} className="menu-meaning" aria-live="polite">
        {meaning}
      </p>
      <button type="submit" className="button" disabled={disabled}>
        {action}
      </button>
      {children}
    </form>
  )
}
