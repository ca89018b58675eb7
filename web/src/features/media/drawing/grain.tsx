import { useId } from 'react'
import { type GrainShape, OUTLINES } from '@/features/media/drawing/grain-shapes'
import type { Grain } from '@/features/media/drawing/model'
import { isPale, lighter, mix, randomFrom } from '@/features/media/drawing/shade'

type Area = { x: number; y: number; width: number; height: number }

/** Grains from this size on have a lit side; smaller ones are too small for it. */
const LIT_FROM = 7

/** One grain as path data, turned by an angle. */
function outline(
  shape: Exclude<GrainShape, 'powder'>,
  x: number,
  y: number,
  size: number,
  angle: number,
): string {
  const pairs: number[] = OUTLINES[shape]
  const [cos, sin] = [Math.cos(angle) * size, Math.sin(angle) * size]
  const at: string[] = []
  for (let index = 0; index < pairs.length; index += 2) {
    const [a = 0, b = 0] = [pairs[index], pairs[index + 1]]
    at.push(`${(x + a * cos - b * sin).toFixed(1)} ${(y + a * sin + b * cos).toFixed(1)}`)
  }
  return `M${at[0]}C${at.slice(1).join(' ')}Z`
}

/** Grains shade each other brown, pale ones sandy: the violet of the other shadows makes rice and sugar look grey. */
const shaded = (color: string, share: number) => mix(color, isPale(color) ? '#a8834f' : '#4a2412', share)

/** The paths of an area full of grains: one for each colour and layer, so that a heap is a handful of elements. */
function layers({ shape, colors, size = 7 }: Grain, area: Area, seed: string) {
  if (shape === 'powder') return []
  const random = randomFrom(seed + shape + colors.join())
  const paths: { color: string; edge?: string; d: string }[] = []
  for (const depth of [0.24, 0.1, 0]) {
    const ofColor = colors.map((color) => ({ color, d: '', lit: '' }))
    const step = size * (depth > 0.2 ? 1.7 : 2.2)
    for (let y = area.y; y < area.y + area.height + step; y += step * 0.86) {
      for (let x = area.x; x < area.x + area.width + step; x += step) {
        const chosen = ofColor[Math.floor(random() * ofColor.length)]
        const [dx, dy, angle] = [(random() - 0.5) * step * 1.3, (random() - 0.5) * step * 1.3, random() * 6.3]
        if (!chosen) continue
        chosen.d += outline(shape, x + dx, y + dy, size, angle)
        if (depth === 0 && size >= LIT_FROM)
          chosen.lit += outline(shape, x + dx - size * 0.16, y + dy - size * 0.22, size * 0.5, angle)
      }
    }
    for (const { color, d } of ofColor)
      if (d) paths.push({ color: shaded(color, depth), edge: shaded(color, 0.42), d })
    for (const { color, lit } of ofColor) if (lit) paths.push({ color: lighter(color, 0.3), d: lit })
  }
  return paths
}

/** Goods that fill an outline, lit from the top left. */
export function Grains({ d, area, grain, seed }: { d: string; area: Area; grain: Grain; seed: string }) {
  const id = useId()
  const base = grain.colors[0] ?? '#c0a060'
  const edge = Math.max(0.7, (grain.size ?? 7) * 0.11)
  return (
    <g>
      <clipPath id={`${id}c`}>
        <path d={d} />
      </clipPath>
      <radialGradient id={`${id}l`} cx="0.34" cy="0.22" r="0.9">
        <stop stopColor="#fff" stopOpacity={grain.shape === 'powder' ? 0.5 : 0.3} />
        <stop offset="0.5" stopColor="#fff" stopOpacity="0" />
        <stop offset="0.55" stopColor="#3a1410" stopOpacity="0" />
        <stop offset="1" stopColor="#3a1410" stopOpacity="0.36" />
      </radialGradient>
      <path d={d} fill={grain.shape === 'powder' ? base : shaded(base, 0.4)} />
      <g clipPath={`url(#${id}c)`}>
        {layers(grain, area, seed).map((layer) => (
          <path
            key={layer.color + layer.d.length}
            d={layer.d}
            fill={layer.color}
            stroke={layer.edge}
            strokeWidth={edge}
            strokeOpacity="0.5"
          />
        ))}
        {grain.shape === 'powder' ? <Dust area={area} color={base} seed={seed} /> : null}
      </g>
      <path d={d} fill={`url(#${id}l)`} />
    </g>
  )
}

/** The faint specks of a powder. */
function Dust({ area, color, seed }: { area: Area; color: string; seed: string }) {
  const random = randomFrom(seed)
  const specks = (count: number) => {
    let d = ''
    for (let index = 0; index < count; index++)
      d += `M${(area.x + random() * area.width).toFixed(1)} ${(area.y + random() * area.height).toFixed(1)}h2v2h-2z`
    return d
  }
  return (
    <>
      <path d={specks(70)} fill={shaded(color, 0.25)} />
      <path d={specks(70)} fill={lighter(color, 0.4)} />
    </>
  )
}
