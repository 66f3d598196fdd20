import { Refusal } from '../refusal.ts'

export function badRequest(message: string): Refusal {
  return new Refusal(400, 'BadRequestException', message)
}
