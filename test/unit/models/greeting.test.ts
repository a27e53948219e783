import { expect, test } from 'vitest'
import { answerFromPassages } from '../../../server/models/embedded/answer.ts'

function answer(question: string) {
  return answerFromPassages({ question, hits: [], threshold: 0.35 })
}

test('greets who greets', () => {
  expect(answer('Merhaba!').isGreeting).toBe(true)
  expect(answer('hello, good morning...').isGreeting).toBe(true)
})

test('answers at once, however many marks follow a greeting', () => {
  expect(answer(`hi${'!'.repeat(54)}x`).isGreeting).toBe(false)
})
