import { Fab, Webchat } from '@botpress/webchat'
// oxlint-disable-next-line import/no-unassigned-import -- bundled beside the script
import './node_modules/@botpress/webchat/dist/style.css'
import { createElement, useState } from 'react'
import { createRoot } from 'react-dom/client'

const style = { position: 'fixed', right: 20, bottom: 20, width: 56, height: 56 }

/** As their documentation shows it: a button, and the chat once it was pressed. */
function App() {
  const [isOpen, setOpen] = useState(false)
  return [
    isOpen && createElement(Webchat, { key: 'chat', clientId: 'bench', apiUrl: `${origin}/api` }),
    createElement(Fab, { key: 'fab', style, onClick: () => setOpen(!isOpen) }),
  ]
}

const place = document.body.appendChild(document.createElement('div'))
createRoot(place).render(createElement(App))
