import { expect, test } from 'vitest'
import { readConfig } from '../../../server/config.ts'

test.each([
  [{ MODEL_PROVIDER: 'openai-compatible', MODEL_NAME: 'x' }, 'MODEL_BASE_URL: is required'],
  [{ MODEL_PROVIDER: 'openai-compatible', MODEL_BASE_URL: 'http://a/v1' }, 'MODEL_NAME: is'],
  [{ MODEL_PROVIDER: 'anthropic', MODEL_NAME: 'x' }, 'MODEL_API_KEY: is required'],
  [{ MODEL_PROVIDER: 'somebody' }, 'MODEL_PROVIDER: '],
  [{ MODEL_BASE_URL: 'nowhere' }, 'MODEL_BASE_URL: must be a full address'],
])('a model that lacks something is one clear line: %o', (settings, line) => {
  expect(() => readConfig(settings)).toThrow(line)
})

test('a model is for images only, when only that is named', () => {
  const settings = { MODEL_PROVIDER: 'openai-compatible', MODEL_BASE_URL: 'http://a/v1' }
  const config = readConfig({ ...settings, IMAGE_MODEL_NAME: 'painter' })
  expect(config.model).toMatchObject({ model: undefined, imageModel: 'painter' })
})

test('without settings there is no model but the embedded one', () => {
  expect(readConfig({}).model).toBeUndefined()
})
