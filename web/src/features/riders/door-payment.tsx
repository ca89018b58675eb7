import { queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { api, unwrapData } from '@/api/client'
import type { RiderDelivery } from '@/features/orders/seller/deliveries-api'
import { refresh } from '@/features/riders/sync'
import { useLang, useT } from '@/lib/i18n'
import { formatMoney, toPaisa } from '@/lib/money'
import { useOnline } from '@/lib/use-online'
import { lazyWithRetry } from '@/ui/lazy-with-retry'
import { LoadState } from '@/ui/load-state'
import { toast } from '@/ui/toast'

const POLL_MS = 4_000

const QrCode = lazyWithRetry(
  async () => (await import('@/ui/qr-code')).QrCode,
  <div className="qr-code skeleton" />,
)

const doorPayment = (orderId: string) =>
  queryOptions({
    queryKey: ['seller', 'door-payment', orderId],
    queryFn: () => unwrapData(api.POST('/api/rider/pay_at_door', { body: { orderId } })),
    // A page of the wallet that was not paid in time is replaced by another one when the rider opens this again.
    gcTime: 0,
    meta: { failed: 'seller.stops.walletFailed', error: 'seller.stops.walletFailed' },
  })

const doorPaymentState = (orderId: string) =>
  queryOptions({
    queryKey: ['seller', 'door-payment-state', orderId],
    queryFn: () => unwrapData(api.POST('/api/rider/check_door_payment', { body: { orderId } })),
    refetchInterval: POLL_MS,
    gcTime: 0,
  })

/** Opens the QR code; a payment page can only be created with a connection. */
export function WalletButton({ open, onToggle }: { open: boolean; onToggle: () => void }) {
  const t = useT()
  const online = useOnline()
  return (
    <button
      type="button"
      className="button button-outline button-wide stop-button"
      aria-expanded={open}
      disabled={!online}
      onClick={onToggle}
    >
      {t(online ? 'seller.stops.wallet' : 'seller.stops.walletOffline')}
    </button>
  )
}

/** The payment page of a cash order as a QR code, until the wallet has paid. */
export function DoorPayment({ stop }: { stop: RiderDelivery }) {
  const t = useT()
  const page = useQuery(doorPayment(stop._id))
  return (
    <div className="stop-form stop-wallet" data-testid="wallet">
      <LoadState
        query={page}
        problem="seller.stops.walletFailed"
        skeleton={<div className="qr-code skeleton" />}
      >
        {({ paymentUrl, cashToCollect }) =>
          paymentUrl ? (
            <OpenPayment orderId={stop._id} url={paymentUrl} amount={cashToCollect} />
          ) : (
            <p role="status">{t('seller.stops.walletPaid')}</p>
          )
        }
      </LoadState>
    </div>
  )
}

function OpenPayment({ orderId, url, amount }: { orderId: string; url: string; amount: number }) {
  const t = useT()
  const lang = useLang()
  const { data } = useQuery(doorPaymentState(orderId))
  const isPaid = data?.cashToCollect === 0
  useEffect(() => {
    if (!isPaid) return
    toast.success('seller.stops.walletPaid')
    void refresh()
  }, [isPaid])
  return (
    <>
      <p>{t('seller.stops.walletScan', { amount: formatMoney(toPaisa(amount), lang, 'auto') })}</p>
      <QrCode text={url} label={t('seller.stops.walletQr')} />
      <p className="muted" role="status">
        {t(isPaid ? 'seller.stops.walletPaid' : 'seller.stops.walletWaiting')}
      </p>
    </>
  )
}
