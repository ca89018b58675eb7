import { createContext, type ReactNode, use, useId } from 'react'
import type { Drawing, Print } from '@/features/media/drawing/model'
import { darker, emWidth, inkOn, isPale, lighter, twoLines } from '@/features/media/drawing/shade'

/**
 * Returns the address of an emoji's picture. There are own pictures, because older phones lack the newer emoji and every
 * system draws them in another style.
 */
export const EmojiPictures = createContext<(emoji: string) => string | undefined>(() => undefined)

type Light = 'across' | 'slant' | 'ball' | 'down'

/** A solid body: its colour with light from the top left and a violet shadow on the far side. */
export function Body({ d, color, light = 'across' }: { d: string; color: string; light?: Light }) {
  const id = useId()
  const stops = (
    <>
      <stop stopColor={lighter(color, light === 'ball' ? 0.55 : 0.16)} />
      <stop offset="0.2" stopColor={lighter(color, light === 'ball' ? 0.3 : 0.36)} />
      <stop offset="0.55" stopColor={color} />
      <stop offset="1" stopColor={darker(color, isPale(color) ? 0.14 : light === 'down' ? 0.25 : 0.4)} />
    </>
  )
  return (
    <>
      {light === 'ball' ? (
        <radialGradient id={id} cx="0.34" cy="0.28" r="0.78">
          {stops}
        </radialGradient>
      ) : (
        <linearGradient
          id={id}
          x1="0"
          y1="0"
          x2={light === 'down' ? 0 : 1}
          y2={light === 'across' ? 0.12 : 1}
        >
          {stops}
        </linearGradient>
      )}
      <path d={d} fill={`url(#${id})`} />
    </>
  )
}

/** The soft shadow on the ground. */
export function Shadow({ x = 128, y = 236, width = 84 }: { x?: number; y?: number; width?: number }) {
  const id = useId()
  return (
    <>
      <radialGradient id={id}>
        <stop stopColor="#2c0d4a" stopOpacity="0.34" />
        <stop offset="0.6" stopColor="#2c0d4a" stopOpacity="0.14" />
        <stop offset="1" stopColor="#2c0d4a" stopOpacity="0" />
      </radialGradient>
      <ellipse cx={x + 4} cy={y} rx={width} ry={width * 0.15} fill={`url(#${id})`} />
    </>
  )
}

/** A reflection of the light on a smooth surface. */
export function Gloss({ d, strength = 0.4 }: { d: string; strength?: number }) {
  const id = useId()
  return (
    <>
      <linearGradient id={id} x1="0" y1="0" x2="0" y2="1">
        <stop stopColor="#fff" stopOpacity="0" />
        <stop offset="0.3" stopColor="#fff" stopOpacity={strength} />
        <stop offset="1" stopColor="#fff" stopOpacity={strength * 0.08} />
      </linearGradient>
      <path d={d} fill={`url(#${id})`} />
    </>
  )
}

/** Children that are visible only inside an outline. */
export function Inside({ d, children }: { d: string; children: ReactNode }) {
  const id = useId()
  return (
    <>
      <clipPath id={id}>
        <path d={d} />
      </clipPath>
      <g clipPath={`url(#${id})`}>{children}</g>
    </>
  )
}

type Frame = { x: number; y: number; width: number; height: number }

/** The pattern printed on a pack; whoever draws it cuts it off at the pack's outline. */
export function PrintOn({
  frame,
  print,
  accent,
}: {
  frame: Frame
  print: Print | undefined
  accent: string
}) {
  const { x, y, width, height } = frame
  const [right, bottom, middle] = [x + width, y + height, x + width / 2]
  const soft = lighter(accent, 0.35)
  switch (print) {
    case 'band':
      return (
        <>
          <rect x={x} y={y} width={width} height={height * 0.2} fill={accent} />
          <rect x={x} y={bottom - height * 0.2} width={width} height={height * 0.2} fill={accent} />
        </>
      )
    case 'wave': {
      const top = y + height * 0.56
      return (
        <>
          <path
            d={`M${x} ${top - 14}c${width * 0.3} -34 ${width * 0.6} 34 ${width} -6V${bottom}H${x}Z`}
            fill={soft}
          />
          <path
            d={`M${x} ${top}c${width * 0.3} -30 ${width * 0.6} 34 ${width} 0V${bottom}H${x}Z`}
            fill={accent}
          />
        </>
      )
    }
    case 'diagonal':
      return (
        <>
          <path d={`M${right} ${y + height * 0.22}V${bottom}H${x}V${y + height * 0.76}Z`} fill={soft} />
          <path d={`M${right} ${y + height * 0.32}V${bottom}H${x}V${y + height * 0.86}Z`} fill={accent} />
        </>
      )
    case 'rays': {
      const rays = Array.from({ length: 12 }, (_, index) => {
        const [a, b] = [(index * Math.PI) / 6, (index * Math.PI) / 6 + 0.26]
        const at = (angle: number) =>
          `${(middle + Math.cos(angle) * 260).toFixed(0)} ${(y + height * 0.4 + Math.sin(angle) * 260).toFixed(0)}`
        return `M${middle} ${y + height * 0.4}L${at(a)} ${at(b)}Z`
      })
      return <path d={rays.join('')} fill={accent} opacity="0.4" />
    }
    case 'hills': {
      const foot = y + height * 0.62
      return (
        <>
          <path
            d={`M${x} ${foot}L${x + width * 0.3} ${y + height * 0.28}L${x + width * 0.5} ${y + height * 0.46}L${x + width * 0.7} ${y + height * 0.2}L${right} ${foot}V${bottom}H${x}Z`}
            fill={accent}
          />
          <path
            d={`M${x + width * 0.3} ${y + height * 0.28}l${width * 0.09} ${height * 0.1}l${-width * 0.08} ${-height * 0.02}l${-width * 0.1} ${height * 0.03}ZM${x + width * 0.7} ${y + height * 0.2}l${width * 0.11} ${height * 0.15}l${-width * 0.1} ${-height * 0.04}l${-width * 0.11} ${height * 0.03}Z`}
            fill="#fff"
          />
        </>
      )
    }
    case 'frame':
      return (
        <rect
          x={x + width * 0.1}
          y={y + height * 0.13}
          width={width * 0.8}
          height={height * 0.74}
          rx="10"
          fill="none"
          stroke={accent}
          strokeWidth="6"
        />
      )
    case 'disc':
      return <circle cx={middle} cy={y + height * 0.4} r={Math.min(width, height) * 0.4} fill={accent} />
    case 'stripes':
      return (
        <path
          d={[0.04, 0.22, 0.7, 0.88]
            .map((share) => `M${x + width * share} ${y}h${width * 0.08}V${bottom}h${-width * 0.08}Z`)
            .join('')}
          fill={accent}
        />
      )
    default:
      return null
  }
}

type WordsProps = {
  drawing: Pick<Drawing, 'label' | 'sub'>
  /** The box of the text; the text is centred in it. */
  frame: Frame
  ink: string
  /** The colour around the text, where it is printed over a pattern. */
  halo?: string | undefined
  size?: number
}

/** The name in one or two lines, and below it the same in the other script. */
export function Words({ drawing: { label, sub }, frame, ink, halo, size = 34 }: WordsProps) {
  if (!label) return null
  const share = sub ? 0.68 : 1
  const fits = (text: string, limit: number) => Math.min(limit, frame.width / emWidth(text))
  const sizeOf = (lines: string[]) =>
    Math.min(...lines.map((line) => fits(line, size)), (frame.height * share) / (lines.length * 1.06))
  // In whichever way the text is larger; two lines only if that gains something.
  const broken = twoLines(label)
  const lines = sizeOf(broken) > sizeOf([label]) * 1.1 ? broken : [label]
  const mainSize = sizeOf(lines)
  const subSize = sub ? Math.min(fits(sub, mainSize * 0.66), frame.height * 0.32) : 0
  const height = lines.length * mainSize * 1.06 + subSize * 1.1
  const top = frame.y + (frame.height - height) / 2
  const middle = frame.x + frame.width / 2
  return (
    <g
      fill={ink}
      textAnchor="middle"
      fontWeight="700"
      stroke={halo}
      strokeWidth={halo ? mainSize * 0.2 : undefined}
      strokeLinejoin="round"
      paintOrder="stroke"
    >
      {lines.map((line, index) => (
        <text key={line} x={middle} y={top + mainSize * (0.82 + index * 1.06)} fontSize={mainSize}>
          {line}
        </text>
      ))}
      {sub ? (
        <text x={middle} y={top + height - subSize * 0.22} fontSize={subSize} fontWeight="600">
          {sub}
        </text>
      ) : null}
    </g>
  )
}

/** The size of the pack, in a small pill or as plain text. */
export function PackSize(props: {
  text: string | undefined
  x: number
  y: number
  color: string
  size?: number
}) {
  const { text, x, y, color, size = 17 } = props
  if (!text) return null
  const width = emWidth(text) * size + size
  return (
    <g>
      <rect
        x={x - width / 2}
        y={y - size * 0.72}
        width={width}
        height={size * 1.44}
        rx={size * 0.72}
        fill={color}
      />
      <text
        x={x}
        y={y + size * 0.34}
        fontSize={size}
        fontWeight="700"
        textAnchor="middle"
        fill={inkOn(color)}
      >
        {text}
      </text>
    </g>
  )
}

/** A picture printed on a pack. */
export function Emblem({ of, x, y, size }: { of: string | undefined; x: number; y: number; size: number }) {
  const href = use(EmojiPictures)(of ?? '')
  if (!href) return null
  return <image href={href} x={x - size / 2} y={y - size / 2} width={size} height={size} />
}

/** A paper label with the name. */
export function Paper(props: {
  drawing: Drawing
  frame: Frame
  color?: string
  ink?: string
  size?: number
}) {
  const { drawing, frame, color = '#fffaf0', ink = '#3a2a1c', size = 32 } = props
  const inner = { x: frame.x + 6, y: frame.y + 4, width: frame.width - 12, height: frame.height - 8 }
  return (
    <g>
      <rect {...frame} rx="8" fill={color} />
      <Words drawing={drawing} frame={inner} ink={ink} size={size} />
    </g>
  )
}
