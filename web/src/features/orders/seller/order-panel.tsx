import { type ReactNode, useEffect, useRef } from 'react'
import type { Order } from '@/features/orders/api'
import { Day } from '@/features/orders/day'
import { typing } from '@/features/orders/seller/keyboard-shortcuts'
import { formatSellerPrice } from '@/features/orders/seller/price-format'
import { StatusBadge } from '@/features/orders/status'
import { useLang, useT } from '@/lib/i18n'
import { CloseIcon } from '@/ui/icons'
import { ArrowDownIcon, ArrowUpIcon } from '@/ui/icons-seller'
import { openDialogs } from '@/ui/toast'

type OrderPanelProps = {
  panelId: string
  /** The number of the order. */
  id: string
  order: Order | undefined
  isMissing: boolean
  hasNext: boolean
  hasPrevious: boolean
  /** Whether the focus goes to the order's status instead of its heading. */
  startsAtStatus: boolean
  onStarted: () => void
  onStep: (by: 1 | -1) => void
  onClose: () => void
  /** The details of the order. */
  children: ReactNode
}

/** An order beside the list. It is not modal: the list stays usable. */
export function OrderPanel(props: OrderPanelProps) {
  const { panelId, id, order, isMissing, hasNext, hasPrevious, startsAtStatus, onStarted, onStep, onClose } =
    props
  const t = useT()
  const lang = useLang()
  const panel = useRef<HTMLElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)

  // A screen reader announces the heading of each order that is shown.
  useEffect(() => {
    if (!id) return
    panel.current?.scrollTo(0, 0)
    heading.current?.focus({ preventScroll: true })
  }, [id])

  // The status exists as soon as the details have loaded.
  useEffect(() => {
    if (!startsAtStatus) return undefined
    const focus = () => {
      const select = panel.current?.querySelector('select')
      if (!select) return false
      select.focus()
      onStarted()
      return true
    }
    if (focus() || !panel.current) return undefined
    const observer = new MutationObserver(() => focus() && observer.disconnect())
    observer.observe(panel.current, { childList: true, subtree: true })
    return () => observer.disconnect()
  }, [startsAtStatus, onStarted])

  const latest = useRef(onClose)
  latest.current = onClose
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented || openDialogs.read().length > 0) return
      if (!typing(event.target)) latest.current()
      // In a field of the panel, Escape closes the browser's own list first, and nothing typed is lost.
      else if (panel.current?.contains(event.target as Node)) heading.current?.focus()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])

  return (
    <section
      ref={panel}
      id={panelId}
      className="order-panel"
      data-order={id}
      data-testid="order-panel"
      aria-labelledby={`${panelId}-title`}
    >
      <div className="order-panel-bar">
        <button
          type="button"
          className="icon-button"
          aria-label={t('seller.orderPanel.previous')}
          aria-keyshortcuts="k"
          aria-disabled={!hasPrevious}
          onClick={() => onStep(-1)}
        >
          <ArrowUpIcon />
        </button>
        <button
          type="button"
          className="icon-button"
          aria-label={t('seller.orderPanel.next')}
          aria-keyshortcuts="j"
          aria-disabled={!hasNext}
          onClick={() => onStep(1)}
        >
          <ArrowDownIcon />
        </button>
        <h2 ref={heading} id={`${panelId}-title`} tabIndex={-1}>
          <span className="sr-only">{t('seller.orderPanel.title')} </span>
          <span translate="no">#{id}</span>
        </h2>
        <button
          type="button"
          className="icon-button"
          aria-label={t('seller.orderPanel.close')}
          aria-keyshortcuts="Escape"
          onClick={onClose}
        >
          <CloseIcon size={24} />
        </button>
      </div>
      {order ? (
        <div className="order-panel-body">
          <p className="order-panel-facts">
            <StatusBadge status={order.status} />
            <span className="muted">
              <Day iso={order.date} /> · <span translate="no">{order.userId.name}</span>
            </span>
            <strong>{formatSellerPrice(order.total, lang)}</strong>
          </p>
          {props.children}
        </div>
      ) : (
        <p className="order-panel-body muted" role="status">
          {isMissing ? t('seller.orderPanel.missing') : ''}
        </p>
      )}
    </section>
  )
}
