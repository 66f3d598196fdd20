import { Refusal } from '../refusal.ts'

export function functionNotFound(arn: string): Refusal {
  return new Refusal(404, 'ResourceNotFoundException', `Function not found: ${arn}`)
}
