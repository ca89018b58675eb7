import '@/styles/forms.css'
import '@/styles/seller-stock.css'
import { CountPanel } from '@/features/inventory/count-panel'
import { CountView } from '@/features/inventory/count-view'
import { ExpiringList } from '@/features/inventory/expiring-list'
import { ReceiptList } from '@/features/inventory/receipt-list'
import { ReceiveForm } from '@/features/inventory/receive-form'
import { SuppliersPanel } from '@/features/inventory/suppliers-panel'
import { WasteForm } from '@/features/inventory/waste-form'
import { WasteList } from '@/features/inventory/waste-list'
import { type MessageId, useT } from '@/lib/i18n'
import { usePageTitle } from '@/ui/page-title'
import { useSearchParams } from '@/ui/use-search-params'

const TABS = {
  receive: 'seller.inventory.tab.receive',
  waste: 'seller.inventory.tab.waste',
  count: 'seller.inventory.tab.count',
  suppliers: 'seller.inventory.tab.suppliers',
} satisfies Record<string, MessageId>
type Tab = keyof typeof TABS

/** Goods in, waste, stock-taking and suppliers. */
export function SellerStockPage() {
  const t = useT()
  usePageTitle(t('seller.nav.stock'))
  const [read, write] = useSearchParams()
  const tab: Tab = read('tab') in TABS ? (read('tab') as Tab) : 'receive'
  const count = read('count')
  return (
    <>
      <div className="seller-title">
        <h1>{t('seller.nav.stock')}</h1>
      </div>
      <nav className="segments stock-tabs" aria-label={t('seller.nav.stock')}>
        {(Object.keys(TABS) as Tab[]).map((each) => (
          <button
            key={each}
            type="button"
            aria-pressed={each === tab}
            onClick={() => write({ tab: each === 'receive' ? '' : each, count: '' })}
          >
            {t(TABS[each])}
          </button>
        ))}
      </nav>
      {tab === 'receive' ? (
        <div className="stock">
          <ReceiveForm />
          <ReceiptList />
        </div>
      ) : null}
      {tab === 'waste' ? (
        <div className="stock">
          <ExpiringList />
          <WasteForm />
          <WasteList />
        </div>
      ) : null}
      {tab === 'count' && count ? <CountView id={count} onBack={() => write({ count: '' })} /> : null}
      {tab === 'count' && !count ? <CountPanel onOpen={(id) => write({ tab: 'count', count: id })} /> : null}
      {tab === 'suppliers' ? <SuppliersPanel /> : null}
    </>
  )
}
