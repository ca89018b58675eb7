import { randomUUID } from 'node:crypto'
import { copySeller } from './database.ts'
import { Visitor } from './people.ts'

export type Seller = { name: string; email: string; password: string }

/**
 * A seller of this test’s own, with the password of the one that scripts/stack has made: a seller may have only few
 * sessions, so tests side by side must not share one.
 */
export function newSeller(): Seller {
  const { SELLER_EMAIL: from, SELLER_PASSWORD: password } = process.env
  if (!from || !password)
    throw new Error('SELLER_EMAIL is not set: take it from the lines that scripts/stack up prints')
  const email = `seller-${randomUUID()}@thunse.example`
  copySeller(from, email)
  return { name: 'Sita', email, password }
}

export async function sellerSession({ email, password }: Seller = newSeller()): Promise<Visitor> {
  const visitor = new Visitor()
  await visitor.must('POST', '/api/seller/login', { email, password })
  return visitor
}
