import { describe, expect, test } from 'vitest'
import * as workspaceEn from '../../server/locales/workspace.en.ts'
import * as workspaceTr from '../../server/locales/workspace.tr.ts'
import * as appointmentEn from '../../server/locales/appointment.en.ts'
import * as appointmentTr from '../../server/locales/appointment.tr.ts'
import * as errorPageEn from '../../server/locales/pages/error-page.en.ts'
import * as errorPageTr from '../../server/locales/pages/error-page.tr.ts'
import * as chatEn from '../../server/locales/chat.en.ts'
import * as chatTr from '../../server/locales/chat.tr.ts'
import * as mailEn from '../../server/locales/mail.en.ts'
import * as mailTr from '../../server/locales/mail.tr.ts'
import * as notificationEn from '../../server/locales/notification.en.ts'
import * as notificationTr from '../../server/locales/notification.tr.ts'
import * as noscriptEn from '../../server/locales/noscript/en.ts'
import * as noscriptTr from '../../server/locales/noscript/tr.ts'
import * as webhookInspectorEn from '../../server/locales/webhook-inspector.en.ts'
import * as webhookInspectorTr from '../../server/locales/webhook-inspector.tr.ts'

/** Parameters of mails. */
const MAIL = {
  name: 'N',
  email: 'E',
  link: 'L',
  token: 'T',
  inviter: 'I',
  workspace: 'W',
  role: 'R',
  actor: 'A',
  date: 'D',
  remaining: '9',
  warning: '10',
}

/** Every word by its path; a word that takes values is spoken with `value`. */
function spoken(words: object, value: unknown = 3, path = ''): Map<string, string> {
  const found = new Map<string, string>()
  for (const [name, word] of Object.entries(words)) {
    const place = `${path}${name}`
    if (typeof word === 'string') found.set(place, word)
    else if (typeof word === 'function')
      found.set(place, String(Reflect.apply(word, undefined, [value])))
    else for (const [below, text] of spoken(word, value, `${place}.`)) found.set(below, text)
  }
  return found
}

/** Parameters of a conversation's texts: a string, or an object with these fields. */
const CHAT = Object.assign('N', { site: 'S', code: 'C', days: 7, said: 'D' })
// A text has a method of this name already.
Object.defineProperty(CHAT, 'link', { value: 'L' })

/** Parameters of texts about appointments. */
const APPOINTMENT = {
  name: 'N',
  site: 'S',
  when: 'W',
  service: 'V',
  link: 'L',
  phone: 'P',
  email: 'E',
}

/** Parameters of notifications. */
const NOTIFICATION = Object.assign('N', {
  site: 'S',
  who: 'W',
  remaining: 'R',
  limit: 'L',
  resetAt: 'A',
  host: 'H',
  name: 'N',
  id: 'I',
})

describe.each([
  {
    part: 'notifications',
    en: spoken(notificationEn.en, NOTIFICATION),
    tr: spoken(notificationTr.tr, NOTIFICATION),
  },
  {
    part: 'appointments',
    en: spoken(appointmentEn.en, APPOINTMENT),
    tr: spoken(appointmentTr.tr, APPOINTMENT),
  },
  { part: 'conversations', en: spoken(chatEn.en, CHAT), tr: spoken(chatTr.tr, CHAT) },
  {
    part: 'names of workspaces',
    en: spoken(workspaceEn.en),
    tr: spoken(workspaceTr.tr),
  },
  { part: 'the page of errors', en: spoken(errorPageEn.en), tr: spoken(errorPageTr.tr) },
  { part: 'the page without scripts', en: spoken(noscriptEn.en), tr: spoken(noscriptTr.tr) },
  { part: 'mail', en: spoken(mailEn.en, MAIL), tr: spoken(mailTr.tr, MAIL) },
  {
    part: "the developers' receiver",
    en: spoken(webhookInspectorEn.en),
    tr: spoken(webhookInspectorTr.tr),
  },
])('$part', ({ en, tr }) => {
  test('says the same things in Turkish and in English', () => {
    expect(en.size).toBeGreaterThan(0)
    expect([...tr.keys()].toSorted()).toEqual([...en.keys()].toSorted())
  })

  test('has a word for everything it says', () => {
    for (const [place, word] of [...en, ...tr]) {
      expect(word.trim(), place).not.toBe('')
      expect(word, place).not.toMatch(/undefined|NaN|\[object/)
    }
  })

  test('begins what follows a salutation with a capital letter', () => {
    for (const [place, word] of [...en, ...tr]) {
      expect(word, place).not.toMatch(/^(Hello|Merhaba)[^\n]*,\n\n\p{Ll}/u)
    }
  })

  test('leaves no English sentence in Turkish', () => {
    const same = [...en].filter(([place, word]) => word.includes(' ') && tr.get(place) === word)
    expect(same).toEqual([])
  })
})
