import { useT } from '@/lib/i18n'
import { TextField } from '@/ui/field'
import { latinDigitsRef } from '@/ui/latin-digits-ref'

type QuantityFieldProps = { value: string; onChange: (value: string) => void; autoFocus?: boolean }

/** How many units of a product come in or go out. */
export function QuantityField({ value, onChange, autoFocus = false }: QuantityFieldProps) {
  const t = useT()
  return (
    <TextField
      label={t('seller.inventory.quantity')}
      type="number"
      inputMode="numeric"
      min={1}
      max={100_000}
      step={1}
      required
      autoFocus={autoFocus}
      ref={latinDigitsRef}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}
