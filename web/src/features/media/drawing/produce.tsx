import { type ReactNode, useId } from 'react'
import { Apples, Coconut, Guava, Papaya, Pomegranate } from '@/features/media/drawing/fruit'
import type { Drawing } from '@/features/media/drawing/model'
import { Body, Emblem, Inside, Shadow } from '@/features/media/drawing/parts'
import { darker } from '@/features/media/drawing/shade'
import {
  BitterGourd,
  BottleGourd,
  Cabbage,
  Cauliflower,
  Chillies,
  Mushrooms,
  Okra,
  Radish,
} from '@/features/media/drawing/vegetables'

/** A whole emoji, in other colours if a tint says so. */
export function Emoji({ drawing }: { drawing: Drawing }) {
  const id = useId()
  const { hue = 0, saturation = 1, light = 1 } = drawing.tint ?? {}
  return (
    <>
      {drawing.tint ? (
        <filter id={id} x="0" y="0" width="1" height="1" colorInterpolationFilters="sRGB">
          <feColorMatrix type="hueRotate" values={String(hue)} />
          <feColorMatrix type="saturate" values={String(saturation)} />
          <feComponentTransfer>
            <feFuncR type="linear" slope={light} />
            <feFuncG type="linear" slope={light} />
            <feFuncB type="linear" slope={light} />
          </feComponentTransfer>
        </filter>
      ) : null}
      <g filter={drawing.tint ? `url(#${id})` : undefined}>
        <Emblem of={drawing.emblem} x={128} y={128} size={236} />
      </g>
    </>
  )
}

function Fish({ color }: { color: string }) {
  const d =
    'M16 138C40 92 100 78 150 92C176 100 194 114 206 124C216 112 228 98 246 92C240 112 238 122 238 134C238 146 242 162 248 180C230 174 216 160 206 148C190 162 170 176 144 182C96 192 40 182 16 138Z'
  return (
    <>
      <Body
        d="M92 92C104 62 140 56 164 66C156 78 158 88 164 100Z"
        color={darker(color, 0.18)}
        light="slant"
      />
      <Body d="M108 176C112 200 132 208 148 206C142 196 146 184 152 176Z" color="#c98a78" light="slant" />
      <Body d={d} color={color} light="down" />
      <Inside d={d}>
        <path d="M10 150C60 184 150 176 210 138V230H10Z" fill="#f3e1d6" opacity="0.75" />
        <path
          d={[0, 1, 2, 3, 4]
            .flatMap((row) =>
              Array.from(
                { length: 7 },
                (_, column) => `M${86 + column * 17 + (row % 2) * 8} ${104 + row * 15}q9 7 0 14`,
              ),
            )
            .join('')}
          fill="none"
          stroke={darker(color, 0.35)}
          strokeWidth="2.500"
          opacity="0.6"
        />
        <path d="M200 100L250 90V190L200 160Z" fill="#c98a78" opacity="0.55" />
      </Inside>
      <path
        d="M76 100C86 120 86 154 74 174"
        fill="none"
        stroke={darker(color, 0.4)}
        strokeWidth="4"
        strokeLinecap="round"
      />
      <path
        d="M18 142Q30 148 40 144"
        fill="none"
        stroke={darker(color, 0.5)}
        strokeWidth="4"
        strokeLinecap="round"
      />
      <circle cx="50" cy="124" r="10" fill="#fff7df" />
      <circle cx="50" cy="124" r="6" fill="#1d1a24" />
      <circle cx="48" cy="122" r="2" fill="#fff" />
      <Body d="M92 146C112 140 128 148 134 160C118 166 102 162 92 146Z" color="#c98a78" light="slant" />
    </>
  )
}

const PRODUCE: Record<string, (props: { color: string }) => ReactNode> = {
  cabbage: Cabbage,
  radish: Radish,
  okra: Okra,
  'bitter-gourd': BitterGourd,
  'bottle-gourd': BottleGourd,
  papaya: Papaya,
  pomegranate: Pomegranate,
  guava: Guava,
  mushrooms: Mushrooms,
  coconut: Coconut,
  cauliflower: Cauliflower,
  chillies: Chillies,
  apples: Apples,
  fish: Fish,
}

/** Fruit and vegetables that no emoji shows. */
export function Produce({ drawing }: { drawing: Drawing }) {
  const Shape = PRODUCE[drawing.shape ?? '']
  return (
    <>
      <Shadow width={88} />
      {Shape ? <Shape color={drawing.color} /> : null}
    </>
  )
}
