import { type FormEvent, useId, useState } from 'react'
import type { AddressFields } from '@/features/addresses/api'
import { usePlaces } from '@/features/addresses/use-places'
import { useLang, useT } from '@/lib/i18n'
import { latinDigits } from '@/lib/latin-digits'
import { localDigits } from '@/lib/money'
import { toStoredPhone } from '@/lib/phone'
import { ErrorSummary } from '@/ui/error-summary'
import { SelectField, TextField } from '@/ui/field'
import { FormProblem } from '@/ui/form-problem'
import { OptionalFields } from '@/ui/optional-fields'
import { SubmitButton } from '@/ui/submit-button'
import { toast } from '@/ui/toast'
import { type FormErrors, type FormFailure, useForm } from '@/ui/use-form'

/** The required fields of the specification, in its order. */
const REQUIRED = ['address', 'phone', 'street', 'city', 'state', 'country', 'pincode'] as const
type Required = (typeof REQUIRED)[number]
type Errors = FormErrors<Required>

export const EMPTY_ADDRESS: AddressFields = {
  address: '',
  phone: '',
  street: '',
  city: '',
  state: '',
  country: '',
  pincode: '',
  district: '',
  municipality: '',
  ward: '',
  landmark: '',
}

/** Checks that all seven required fields are filled in and that the phone number is valid. */
export function checkAddress(values: AddressFields): Errors {
  const errors: Errors = {}
  for (const name of REQUIRED) if (!values[name].trim()) errors[name] = `address.enter.${name}`
  if (!errors.phone && toStoredPhone(values.phone) === null) errors.phone = 'address.err.phone'
  return errors
}

/** Trims the values and converts Nepali digits to Latin ones before they are sent. */
export function normalizeAddress(values: AddressFields): AddressFields {
  const trimmed = Object.fromEntries(Object.entries(values).map(([name, text]) => [name, text.trim()]))
  return {
    ...(trimmed as AddressFields),
    phone: toStoredPhone(values.phone) ?? values.phone.trim(),
    pincode: latinDigits(values.pincode).trim(),
    ward: latinDigits(values.ward).trim(),
  }
}

type AddressFormProps = {
  values: AddressFields
  onChange: (values: AddressFields) => void
  /** Called before a correct form is sent; returns false if it cannot be sent yet. */
  canSave?: () => boolean
  save: (fields: AddressFields) => Promise<void>
  onError: (error: unknown) => FormFailure | undefined
}

export function AddressForm({ values, onChange, canSave, save, onError }: AddressFormProps) {
  const t = useT()
  const lang = useLang()
  const id = useId()
  const places = usePlaces()
  const form = useForm<keyof AddressFields>({
    id,
    names: REQUIRED,
    check: () => checkAddress(values),
    onError,
  })
  // An address that was saved with optional fields shows them when it is edited.
  const [unfolded] = useState(() => Boolean(values.ward || values.landmark))

  const submit = (event: FormEvent) => {
    event.preventDefault()
    const found = Object.values(checkAddress(values))
    if (found.length === 0 && canSave?.() === false) return
    form.send(() => save(normalizeAddress(values)))
    if (found.some((error) => error !== 'address.err.phone')) toast.error('address.fill')
  }

  const wiring = (name: keyof AddressFields) => ({
    ...form.field(name),
    value: values[name],
    onChange: (event: { target: { value: string } }) => onChange({ ...values, [name]: event.target.value }),
  })

  const allProvinces = places?.provinces ?? []
  const province = places?.findPlace(allProvinces, values.state)
  const near = province ? [province] : allProvinces
  const district = places?.findPlace(
    near.flatMap((each) => each.districts),
    values.district,
  )
  const level = district && places?.findPlace(district.localLevels, values.municipality)
  const notListed = (name: 'district' | 'municipality', found: object | undefined) =>
    // A value that is not in the list, saved earlier, stays selectable.
    values[name] && !found ? (
      <option value={values[name]} translate="no">
        {values[name]}
      </option>
    ) : null

  /** Rechecks the city and the province, because another field may have filled them in. */
  const fill = (next: AddressFields) => {
    onChange(next)
    form.recheck('city', 'state')
  }
  /**
   * A city of the official list fills in its province, district and municipality; any other city clears what the
   * previous one filled in.
   */
  const typeCity = (city: string) => {
    const listed = places?.findCity(city)
    const derived = values.municipality !== '' && values.municipality === values.city.trim()
    const place = listed
      ? {
          state: listed.province[lang],
          district: listed.district[lang],
          municipality: listed.level[lang],
          ward: values.municipality === listed.level[lang] ? values.ward : '',
        }
      : derived
        ? { district: '', municipality: '', ward: '' }
        : {}
    fill({ ...values, city, ...place })
  }
  const chooseDistrict = (name: string) => {
    const home = allProvinces.find((each) => places?.findPlace(each.districts, name))
    fill({
      ...values,
      district: name,
      municipality: '',
      ward: '',
      state: (home && places?.placeName(home, lang)) || values.state,
    })
  }
  const chooseLevel = (name: string) =>
    fill({ ...values, municipality: name, ward: '', city: name || values.city })

  return (
    <form className="form" {...form.watch} onSubmit={submit}>
      <ErrorSummary problems={form.problems} />
      <TextField
        {...wiring('address')}
        label={t('address.name')}
        hint={t('address.nameHint')}
        mark="required"
        autoComplete="off"
        maxLength={60}
      />
      <TextField
        {...wiring('phone')}
        label={t('auth.phone')}
        hint={t('address.phoneHint')}
        mark="required"
        type="tel"
        inputMode="tel"
        autoComplete="tel"
      />
      <TextField
        {...wiring('street')}
        label={t('address.street')}
        hint={t('address.streetHint')}
        mark="required"
        autoComplete="address-line1"
      />
      <div className="field-row pair">
        <TextField
          {...wiring('city')}
          label={t('address.city')}
          hint={t('address.cityHint')}
          mark="required"
          list={`${id}-cities`}
          autoComplete="address-level2"
          onChange={(event) => typeCity(event.target.value)}
        />
        <datalist id={`${id}-cities`}>
          {places?.searchCities(values.city, lang).map((city) => (
            <option key={city.level.en + city.district.en} value={city.level[lang]}>
              {city.district[lang]}
            </option>
          ))}
        </datalist>
        <TextField
          {...wiring('state')}
          label={t('address.state')}
          hint={t('address.stateHint')}
          mark="required"
          list={`${id}-provinces`}
          autoComplete="address-level1"
        />
        <datalist id={`${id}-provinces`}>
          {allProvinces.map((each) => (
            <option key={each.en} value={each[lang]} />
          ))}
        </datalist>
      </div>
      <div className="field-row pair">
        <TextField
          {...wiring('country')}
          label={t('address.country')}
          mark="required"
          autoComplete="country-name"
        />
        <TextField
          {...wiring('pincode')}
          label={t('address.pincode')}
          hint={t('address.pincodeHint')}
          mark="required"
          inputMode="numeric"
          autoComplete="postal-code"
        />
      </div>
      <OptionalFields title={t('address.more')} open={unfolded}>
        <div className="field-row pair">
          <SelectField
            {...wiring('district')}
            value={district ? district[lang] : values.district}
            label={t('address.district')}
            mark="optional"
            disabled={!places}
            onChange={(event) => chooseDistrict(event.target.value)}
          >
            <option value="">{t(places ? 'place.choose' : 'shell.loading')}</option>
            {notListed('district', district)}
            {near.map((each) => (
              <optgroup key={each.en} label={each[lang]}>
                {each.districts.map((one) => (
                  <option key={one.en} value={one[lang]}>
                    {one[lang]}
                  </option>
                ))}
              </optgroup>
            ))}
          </SelectField>
          <SelectField
            {...wiring('municipality')}
            value={level ? level[lang] : values.municipality}
            label={t('address.municipality')}
            mark="optional"
            disabled={!district && !values.municipality}
            onChange={(event) => chooseLevel(event.target.value)}
          >
            <option value="">{t(district ? 'place.choose' : 'place.districtFirst')}</option>
            {notListed('municipality', level)}
            {district?.localLevels.map((one) => (
              <option key={one.en} value={one[lang]}>
                {places ? t(places.KINDS[one.kind], { name: one[lang] }) : one[lang]}
              </option>
            ))}
          </SelectField>
        </div>
        {level || !values.ward ? (
          <SelectField {...wiring('ward')} label={t('address.ward')} mark="optional" disabled={!level}>
            <option value="">{t(level ? 'place.choose' : 'place.municipalityFirst')}</option>
            {Array.from({ length: level?.wards ?? 0 }, (_, index) => String(index + 1)).map((ward) => (
              <option key={ward} value={ward}>
                {localDigits(ward, lang)}
              </option>
            ))}
          </SelectField>
        ) : (
          <TextField {...wiring('ward')} label={t('address.ward')} mark="optional" inputMode="numeric" />
        )}
        <TextField
          {...wiring('landmark')}
          label={t('address.landmark')}
          hint={t('address.landmarkHint')}
          mark="optional"
          autoComplete="off"
        />
      </OptionalFields>
      <FormProblem problem={form.problem} />
      <SubmitButton busy={form.busy} wide>
        {t(form.busy ? 'form.saving' : 'address.save')}
      </SubmitButton>
    </form>
  )
}
