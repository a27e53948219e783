import { expect, test } from 'vitest'
import { serializeRequest } from '../../server/boot/log.ts'

test('the log names the route of a request, never its address', () => {
  const request = {
    id: 'req_1',
    method: 'GET',
    url: '/transcripts/ses_1/1/signature?token=secret',
    routeOptions: { url: '/transcripts/:session_id/:expires_at/:signature' },
  }
  const route = '/transcripts/:session_id/:expires_at/:signature'
  expect(serializeRequest(request)).toEqual({ id: 'req_1', method: 'GET', route })
  expect(serializeRequest({ id: 'req_2', method: 'GET' })).toMatchObject({ route: 'none' })
})
