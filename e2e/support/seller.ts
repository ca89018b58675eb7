import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { Visitor } from './people.ts'

export type Seller = { name: string; email: string; password: string }

/** Sellers are created on the command line only; scripts/stack has stored the environment of its programs. */
function sellerCommand(args: string[], input = ''): string {
  if (!process.env.LOGS)
    throw new Error('LOGS is not set: take it from the lines that scripts/stack up prints')
  return execFileSync('bash', ['-c', '. "$LOGS/settings" && exec "$BINARY" seller "$@"', 'seller', ...args], {
    input,
    encoding: 'utf8',
    // The error of a command that fails says what it has written to its standard error.
    stdio: 'pipe',
    // On a busy machine a connection may take longer than the three seconds for which a page would wait.
    env: { ...process.env, DATABASE_ACQUIRE_TIMEOUT_MS: '60000' },
  })
}

const newEmail = () => `seller-${randomUUID()}@thunse.example`

/**
 * Creates a seller for this test: the number of sessions per seller is limited, so parallel tests must not share one.
 */
export function newSeller(): Seller {
  const seller = { name: 'Sita', email: newEmail(), password: `jholi-${randomUUID()}` }
  sellerCommand(
    ['create', '--email', seller.email, '--name', seller.name, '--password-stdin'],
    seller.password,
  )
  return seller
}

/** Creates a seller with an assigned password, which must be replaced at the first login. */
export function sellerWithFirstPassword(): Seller {
  const seller = { name: 'Sita', email: newEmail() }
  const said = sellerCommand(['create', '--email', seller.email, '--name', seller.name])
  const [, password] = /^password: (\S+)$/m.exec(said) ?? []
  if (!password) throw new Error('the command line has printed no password')
  return { ...seller, password }
}

/** Enables the second step for this seller; returns a backup code as it is printed. */
export function requireSecondStep({ email }: Seller): string {
  const said = sellerCommand(['second-step', '--email', email])
  const [code] = /^\w{4}(-\w{4}){5}$/m.exec(said) ?? []
  if (!code) throw new Error('the command line has printed no backup code')
  return code
}

export async function sellerSession({ email, password }: Seller = newSeller()): Promise<Visitor> {
  const visitor = new Visitor()
  await visitor.must('POST', '/api/seller/login', { email, password })
  // Every test has a seller of its own, and each would get an email for every order of all tests.
  const channels = { push: true, email: false, sms: false, phone: '' }
  await visitor.must('PUT', '/api/seller/alerts/preferences', channels)
  return visitor
}
