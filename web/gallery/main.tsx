import './clock.ts'
import '../src/ui/tokens.css'
import '../src/ui/base.css'
import { createRoot } from 'react-dom/client'
import { Overview } from './overview.tsx'
import { showState } from './show-state.tsx'
import { states } from './states.ts'

const mount = document.getElementById('root')
if (!mount) throw new Error('gallery.html has no element with the id "root"')

const name = new URLSearchParams(window.location.search).get('state')
const state = states.find((candidate) => candidate.name === name)
if (state) showState(mount, state)
else createRoot(mount).render(<Overview states={states} unknown={name} />)
