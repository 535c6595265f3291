import { type SubmitEvent, useState } from 'react'
import { pairWall, signIn } from '../../api/access.ts'
import { ApiProblem } from '../../api/problem.ts'

type Step = { readonly at: 'asking'; readonly why: string } | { readonly at: 'done'; readonly name: string }

/** Where a person lets a screen in that shows a code. Asks for a token itself: nothing else on this page would. */
export function PairScreen() {
  const [step, setStep] = useState<Step>({ at: 'asking', why: '' })
  const [signedOut, setSignedOut] = useState(false)
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const given = (field: string) => String(form.get(field) ?? '').trim()
    const list = (field: string) =>
      given(field)
        .split(/[\s,]+/)
        .filter((item) => item !== '')
    try {
      if (given('token') !== '') await signIn(given('token'))
      await pairWall({ code: given('code'), name: given('name'), c: list('c'), ns: list('ns') })
      setStep({ at: 'done', name: given('name') })
    } catch (error) {
      setSignedOut(signedOut || (error instanceof ApiProblem && error.status === 401))
      setStep({ at: 'asking', why: (error as Error).message })
    }
  }
  return (
    <section className="page">
      <h1>Pair a screen</h1>
      {step.at === 'done' ? (
        <p role="status">{step.name} may look now; its picture comes within seconds. Revoke it with: walls revoke.</p>
      ) : (
        <form className="pair-form" onSubmit={(event) => void submit(event)}>
          {signedOut && (
            <label>
              Your token <input className="field" name="token" type="password" autoComplete="current-password" />
            </label>
          )}
          <label>
            Code on the screen{' '}
            <input
              className="field"
              name="code"
              inputMode="numeric"
              autoComplete="off"
              required={true}
              placeholder="472 913"
            />
          </label>
          <label>
            Name for it <input className="field" name="name" autoComplete="off" required={true} placeholder="lobby" />
          </label>
          <label>
            Only these clusters <input className="field" name="c" autoComplete="off" placeholder="all" />
          </label>
          <label>
            Only these namespaces <input className="field" name="ns" autoComplete="off" placeholder="all" />
          </label>
          <button type="submit" className="button">
            Let it look
          </button>
          {step.why !== '' && <p role="alert">{step.why}</p>}
        </form>
      )}
    </section>
  )
}
