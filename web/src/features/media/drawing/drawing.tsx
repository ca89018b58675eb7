import type { FC } from 'react'
import {
  Broom,
  Bunch,
  Candles,
  Coil,
  Crate,
  EggCarton,
  Incense,
  Matches,
  Tray,
} from '@/features/media/drawing/goods'
import type { Drawing as DrawingModel, Kind } from '@/features/media/drawing/model'
import { Bag, Bar, Block, Carton, ClearPacket, Packet, Sack } from '@/features/media/drawing/packs'
import { Emoji, Produce } from '@/features/media/drawing/produce'
import { Bottle, Bowl, Jar, Jug, Pot, Tin, Tub, Tube } from '@/features/media/drawing/vessels'

const KIND_DRAWINGS: Record<Kind, FC<{ drawing: DrawingModel }>> = {
  bag: Bag,
  bar: Bar,
  block: Block,
  bottle: Bottle,
  bowl: Bowl,
  broom: Broom,
  bunch: Bunch,
  candles: Candles,
  carton: Carton,
  clear: ClearPacket,
  coil: Coil,
  crate: Crate,
  eggs: EggCarton,
  emoji: Emoji,
  incense: Incense,
  jar: Jar,
  jug: Jug,
  matches: Matches,
  packet: Packet,
  pot: Pot,
  produce: Produce,
  sack: Sack,
  tin: Tin,
  tray: Tray,
  tub: Tub,
  tube: Tube,
}

/** A drawn product: square, lit from the top left, readable at 120 pixels. The product's name is always beside it. */
export function Drawing({ drawing }: { drawing: DrawingModel }) {
  const OfKind = KIND_DRAWINGS[drawing.kind]
  return (
    <svg className="drawing" viewBox="0 0 256 256" textRendering="geometricPrecision" aria-hidden="true">
      <OfKind drawing={drawing} />
    </svg>
  )
}
