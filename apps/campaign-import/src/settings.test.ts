import { describe, expect, it } from 'vitest'
import { sendSettings } from './settings.ts'

const given = {
  DATABASE_URL: 'postgres://localhost/a',
  MAX_SEND_RATE: '14',
  PUBLIC_URL: 'https://campaigns.example.com',
  UNSUBSCRIBE_KEYS: 'a2V5',
}

describe('sendSettings', () => {
  it('take a rate of 1 and more', () => {
    expect(sendSettings.parse(given)).toMatchObject({ MAX_SEND_RATE: 14 })
  })

  it.each(['', '0', '0.5', '-1', 'many'])('refuse the rate %j, at which nothing would be sent', rate => {
    expect(sendSettings.safeParse({ ...given, MAX_SEND_RATE: rate }).success).toBe(false)
  })

  it('refuse an address of the API that is none', () => {
    expect(sendSettings.safeParse({ ...given, PUBLIC_URL: 'campaigns' }).success).toBe(false)
  })
})
