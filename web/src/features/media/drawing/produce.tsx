import { useId } from 'react'
import { Grains } from '@/features/media/drawing/grain'
import type { Drawing } from '@/features/media/drawing/model'
import { Body, Emblem, Gloss, Inside, Shadow } from '@/features/media/drawing/parts'
import { darker, lighter } from '@/features/media/drawing/shade'

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

function Leaf({ transform, color = '#5fae3a' }: { transform: string; color?: string }) {
  return (
    <g transform={transform}>
      <Body d="M0 0C8 -26 34 -34 58 -26C52 -4 28 10 0 0Z" color={color} light="slant" />
      <path d="M4 -2Q26 -16 50 -22" fill="none" stroke={lighter(color, 0.4)} strokeWidth="2.5" />
    </g>
  )
}

function Cabbage({ color }: { color: string }) {
  return (
    <>
      <Body
        d="M128 40C190 36 232 84 226 140C222 196 178 232 128 232C78 232 34 196 30 140C24 84 66 36 128 40Z"
        color={darker(color, 0.12)}
        light="ball"
      />
      <Body
        d="M30 132C30 84 60 50 92 46C58 90 62 170 108 230C62 226 30 182 30 132Z"
        color={color}
        light="slant"
      />
      <Body
        d="M226 132C226 92 200 56 168 48C198 92 196 168 152 230C196 222 226 182 226 132Z"
        color={darker(color, 0.1)}
        light="slant"
      />
      <Body
        d="M128 34C176 36 196 84 190 138C186 186 160 222 128 232C96 222 70 186 66 138C60 84 80 36 128 34Z"
        color={lighter(color, 0.32)}
        light="ball"
      />
      <path
        d="M128 230V96M128 186L96 146M128 186L160 146M128 146L106 116M128 146L150 116M128 108L116 88M128 108L140 88"
        fill="none"
        stroke={lighter(color, 0.75)}
        strokeWidth="5"
        strokeLinecap="round"
      />
      <path
        d="M96 226C60 190 52 120 78 66M160 226C196 190 204 120 178 66"
        fill="none"
        stroke={lighter(color, 0.6)}
        strokeWidth="4"
        strokeLinecap="round"
        opacity="0.8"
      />
    </>
  )
}

function Radish({ color }: { color: string }) {
  return (
    <g transform="rotate(38 128 128)">
      {[-26, 22, -6].map((angle) => (
        <g key={angle} transform={`translate(128 62) rotate(${angle})`}>
          <Body
            d="M0 4C-10 -12 -24 -28 -16 -50C-8 -66 8 -66 16 -50C24 -28 10 -12 0 4Z"
            color="#4fa53c"
            light="slant"
          />
          <path d="M0 2V-48" stroke="#b8e08a" strokeWidth="4" strokeLinecap="round" />
        </g>
      ))}
      <Body
        d="M128 56C152 54 164 66 164 88C162 140 150 200 132 246Q128 254 124 246C106 200 94 140 92 88C92 66 104 54 128 56Z"
        color={color}
      />
      <path
        d="M96 104Q112 110 122 106M140 130Q152 134 158 130M102 160Q114 164 122 160M132 190Q140 192 146 190"
        fill="none"
        stroke={darker(color, 0.22)}
        strokeWidth="3"
        strokeLinecap="round"
      />
      <path d="M95 74Q104 58 128 58Q152 58 161 74Q128 88 95 74Z" fill="#b9d98a" opacity="0.75" />
      <Gloss d="M104 84Q102 140 116 196Q122 196 122 190Q112 140 116 84Z" strength={0.8} />
    </g>
  )
}

function Okra({ color }: { color: string }) {
  const pod = 'M-22 -60C-26 -20 -16 50 0 104C16 50 26 -20 22 -60Q0 -72 -22 -60Z'
  return (
    <>
      {[
        'translate(76 116) rotate(18)',
        'translate(180 118) rotate(-20)',
        'translate(128 126) rotate(-2) scale(1.06)',
      ].map((place) => (
        <g key={place} transform={place}>
          <Body d="M-7 -86Q0 -92 7 -86L9 -62H-9Z" color={lighter(color, 0.2)} />
          <Body d={pod} color={color} />
          <path
            d="M-9 -58C-12 -20 -8 40 -1 92M9 -58C12 -20 8 40 1 92"
            fill="none"
            stroke={darker(color, 0.3)}
            strokeWidth="3"
            opacity="0.7"
          />
          <Gloss d="M-17 -52C-19 -20 -13 30 -6 64Q-4 40 -10 -52Z" strength={0.5} />
          <Body d="M-25 -54Q-24 -72 0 -72Q24 -72 25 -54Q0 -46 -25 -54Z" color={darker(color, 0.2)} />
        </g>
      ))}
    </>
  )
}

function BitterGourd({ color }: { color: string }) {
  const d = 'M56 196C40 176 60 130 96 96C130 62 184 30 206 46C226 62 200 120 166 156C130 194 76 220 56 196Z'
  const bumps: [number, number, number][] = []
  for (let along = 0; along < 9; along++)
    for (const side of [-2, -1, 0, 1, 2]) {
      const width = 22 * Math.sin(((along + 1) / 10) * Math.PI) + 3
      const x = 62 + along * 17.5 + side * width * 0.62 + (side % 2 ? 6 : 0)
      const y = 190 - along * 16.5 + side * width * 0.62 - (side % 2 ? 6 : 0)
      bumps.push([x, y, 6 + (along % 3)])
    }
  return (
    <>
      <Body d="M200 54Q214 30 232 24L240 34Q224 40 214 62Z" color={darker(color, 0.2)} />
      <Body d={d} color={color} light="slant" />
      <Inside d={d}>
        {bumps.map(([x, y, r]) => (
          <g key={`${x} ${y}`}>
            <ellipse cx={x + 2} cy={y + 3} rx={r} ry={r} fill={darker(color, 0.35)} opacity="0.7" />
            <ellipse cx={x} cy={y} rx={r} ry={r * 0.9} fill={lighter(color, 0.18)} />
            <ellipse cx={x - 2} cy={y - 2} rx={r * 0.4} ry={r * 0.35} fill="#fff" opacity="0.6" />
          </g>
        ))}
      </Inside>
    </>
  )
}

function BottleGourd({ color }: { color: string }) {
  return (
    <g transform="rotate(30 128 128)">
      <Body d="M120 22Q126 10 138 8L142 18Q134 20 134 36H120Z" color="#6b8a3a" />
      <Body
        d="M128 30C150 30 152 56 150 84C150 112 190 130 190 182C190 224 160 246 128 246C96 246 66 224 66 182C66 130 106 112 106 84C104 56 106 30 128 30Z"
        color={color}
        light="ball"
      />
      <path
        d="M152 128C176 146 182 180 172 210M86 160q-4 22 4 44"
        fill="none"
        stroke={lighter(color, 0.5)}
        strokeWidth="4"
        strokeLinecap="round"
        opacity="0.6"
      />
      <Gloss
        d="M90 150C98 132 116 124 116 92Q112 60 118 44Q108 60 112 96C108 122 84 140 80 172Q82 190 88 196Q84 172 90 150Z"
        strength={0.7}
      />
      <Body d="M108 42Q108 28 128 28Q148 28 148 42Q138 36 128 46Q118 36 108 42Z" color="#7ba23f" />
    </g>
  )
}

function Papaya({ color }: { color: string }) {
  return (
    <>
      <g transform="rotate(-18 100 120)">
        <Body
          d="M96 20C120 20 134 60 148 106C164 160 138 214 98 214C58 214 32 164 48 108C60 62 72 20 96 20Z"
          color="#8fb543"
          light="slant"
        />
        <path d="M126 60C150 120 150 190 108 212C150 206 158 150 148 106Z" fill="#f0b13a" opacity="0.75" />
        <Body d="M90 12H104L106 28H88Z" color="#6b7a35" />
      </g>
      <g transform="rotate(16 170 150)">
        <Body
          d="M168 54C196 58 214 92 218 138C222 192 202 238 168 238C134 238 114 192 118 138C122 92 140 58 168 54Z"
          color="#d98a2b"
          light="slant"
        />
        <Body
          d="M168 62C192 66 206 96 210 138C213 188 196 228 168 228C140 228 123 188 126 138C130 96 144 66 168 62Z"
          color={color}
          light="ball"
        />
        <Body
          d="M168 98C182 102 188 124 188 150C188 182 180 204 168 204C156 204 148 182 148 150C148 124 154 102 168 98Z"
          color={darker(color, 0.22)}
          light="slant"
        />
        {[112, 126, 140, 154, 168, 182, 194].flatMap((y, row) =>
          (row % 2 ? [160, 176] : [168]).map((x) => (
            <g key={`${x} ${y}`}>
              <ellipse cx={x} cy={y} rx="7.500" ry="8.500" fill="#2a1c2e" />
              <ellipse cx={x - 2} cy={y - 3} rx="2.500" ry="2" fill="#fff" opacity="0.7" />
            </g>
          )),
        )}
      </g>
    </>
  )
}

function Pomegranate({ color }: { color: string }) {
  const cut =
    'M172 128C206 128 228 152 228 182C228 212 204 234 172 234C140 234 116 212 116 182C116 152 138 128 172 128Z'
  return (
    <>
      <Body d="M86 42L80 18L96 28L106 12L116 28L132 18L126 44Z" color={darker(color, 0.1)} light="slant" />
      <Body
        d="M106 38C162 34 196 76 192 124C188 176 152 208 106 208C60 208 24 176 20 124C16 76 50 42 106 38Z"
        color={color}
        light="ball"
      />
      <Gloss d="M48 96C56 72 74 60 92 58C80 70 64 84 62 112Q52 112 48 96Z" strength={0.6} />
      <Body d={cut} color={color} light="slant" />
      <ellipse cx="172" cy="181" rx="49" ry="46" fill="#fff0cf" />
      <Grains
        d="M168 142C140 144 130 164 130 182C130 206 150 220 168 221ZM176 142C204 144 214 164 214 182C214 206 194 220 176 221Z"
        area={{ x: 128, y: 140, width: 90, height: 84 }}
        grain={{ shape: 'lump', colors: ['#c8102e', '#a30d2d', '#e0344a'], size: 7.5 }}
        seed="pomegranate"
      />
    </>
  )
}

function Guava({ color }: { color: string }) {
  return (
    <>
      <Leaf transform="translate(104 44) rotate(-6) scale(1.2)" />
      <Body
        d="M100 40C120 40 124 60 146 78C182 100 190 168 158 198C132 222 70 222 44 196C14 166 22 100 56 78C78 62 82 40 100 40Z"
        color={color}
        light="ball"
      />
      <path d="M96 46Q98 30 106 22" fill="none" stroke="#6b4a2a" strokeWidth="7" strokeLinecap="round" />
      <Body
        d="M176 124C210 124 234 150 234 180C234 212 210 236 176 236C142 236 118 212 118 180C118 150 142 124 176 124Z"
        color={darker(color, 0.05)}
        light="slant"
      />
      <circle cx="176" cy="180" r="49" fill="#fde3d4" />
      <circle cx="176" cy="180" r="38" fill="#f49a92" />
      <Body
        d="M176 148C196 148 208 162 208 180C208 198 196 212 176 212C156 212 144 198 144 180C144 162 156 148 176 148Z"
        color="#f7b0a6"
        light="ball"
      />
      {Array.from({ length: 14 }, (_, index) => index * 0.449).map((angle, index) => (
        <ellipse
          key={angle}
          cx={176 + Math.cos(angle) * (index % 2 ? 26 : 16)}
          cy={180 + Math.sin(angle) * (index % 2 ? 26 : 16)}
          rx="3.500"
          ry="4.500"
          fill="#fff4d8"
          stroke="#c9885a"
          strokeWidth="1"
        />
      ))}
    </>
  )
}

function Mushrooms({ color }: { color: string }) {
  return (
    <>
      {[
        'translate(92 96) scale(0.95)',
        'translate(172 112) scale(0.86)',
        'translate(122 164) scale(1.05)',
      ].map((place) => (
        <g key={place} transform={place}>
          <Body
            d="M-26 6H26C24 24 22 38 30 54Q0 70 -30 54C-22 38 -24 24 -26 6Z"
            color={darker(color, 0.05)}
          />
          <Body
            d="M-64 12C-66 -34 -34 -62 0 -62C34 -62 66 -34 64 12C62 28 34 24 0 24C-34 24 -62 28 -64 12Z"
            color={color}
            light="ball"
          />
          <path d="M-52 16Q0 34 52 16Q30 26 0 26Q-30 26 -52 16Z" fill="#b98f78" />
          <Gloss d="M-46 -10C-40 -34 -22 -46 -4 -50C-18 -38 -30 -22 -32 -2Q-42 2 -46 -10Z" strength={0.9} />
        </g>
      ))}
    </>
  )
}

function Coconut({ color }: { color: string }) {
  const strands = Array.from(
    { length: 16 },
    (_, index) =>
      `M${46 + index * 11} ${66 + ((index * 37) % 40)}q${10 - (index % 5) * 4} 50 ${-6 + (index % 4) * 5} ${96 - ((index * 23) % 30)}`,
  )
  const d = 'M128 34C184 34 218 84 218 138C218 194 178 230 128 230C78 230 38 194 38 138C38 84 72 34 128 34Z'
  return (
    <>
      <Body d={d} color={color} light="ball" />
      <Inside d={d}>
        <path d={strands.join('')} fill="none" stroke={darker(color, 0.35)} strokeWidth="3" opacity="0.65" />
        <path
          d={strands.join('')}
          transform="translate(5 -6)"
          fill="none"
          stroke={lighter(color, 0.35)}
          strokeWidth="2"
          opacity="0.8"
        />
      </Inside>
      <Body d="M104 44Q112 14 128 8Q146 14 152 44Q128 58 104 44Z" color={lighter(color, 0.15)} />
      <path
        d="M112 42Q118 22 126 12M128 46V10M144 42Q138 22 130 12"
        fill="none"
        stroke={darker(color, 0.3)}
        strokeWidth="3"
      />
    </>
  )
}

function Cauliflower({ color }: { color: string }) {
  const florets: [number, number, number][] = [
    [84, 92, 30],
    [128, 74, 34],
    [172, 92, 30],
    [64, 126, 27],
    [192, 126, 27],
    [104, 118, 30],
    [152, 118, 30],
    [84, 150, 26],
    [172, 150, 26],
    [128, 146, 32],
  ]
  return (
    <>
      <Body
        d="M128 120C60 60 14 92 20 150C26 206 84 238 128 236C172 238 230 206 236 150C242 92 196 60 128 120Z"
        color="#5aa545"
        light="slant"
      />
      <path
        d="M40 116Q46 180 92 222M216 116Q210 180 164 222"
        fill="none"
        stroke="#bfe39a"
        strokeWidth="5"
        strokeLinecap="round"
      />
      {florets.map(([x, y, r]) => (
        <g key={`${x} ${y}`}>
          <Body
            d={`M${x - r} ${y}a${r} ${r} 0 1 1 ${2 * r} 0a${r} ${r} 0 1 1 ${-2 * r} 0Z`}
            color={darker(color, 0.04)}
            light="ball"
          />
          <Grains
            d={`M${x - r} ${y}a${r} ${r} 0 1 1 ${2 * r} 0a${r} ${r} 0 1 1 ${-2 * r} 0Z`}
            area={{ x: x - r, y: y - r, width: 2 * r, height: 2 * r }}
            grain={{ shape: 'lump', colors: [color, lighter(color, 0.4)], size: 7 }}
            seed={`${x}${y}`}
          />
        </g>
      ))}
      <Body d="M24 150C40 196 84 196 118 236C70 238 24 210 24 150Z" color="#74bb55" light="slant" />
      <Body d="M232 150C216 196 172 196 138 236C186 238 232 210 232 150Z" color="#5aa545" light="slant" />
      <Body
        d="M84 196C104 176 152 176 172 196C168 224 150 238 128 238C106 238 88 224 84 196Z"
        color="#8fce68"
        light="slant"
      />
      <path
        d="M128 232V196M128 214L108 198M128 214L148 198"
        fill="none"
        stroke="#dff2c0"
        strokeWidth="4"
        strokeLinecap="round"
      />
    </>
  )
}

function Chillies({ color }: { color: string }) {
  return (
    <>
      {[
        'translate(92 70) rotate(14)',
        'translate(164 66) rotate(-10)',
        'translate(126 84) rotate(2) scale(1.05)',
      ].map((place) => (
        <g key={place} transform={place}>
          <path
            d="M0 -14Q-4 -36 -20 -44"
            fill="none"
            stroke={lighter(color, 0.25)}
            strokeWidth="9"
            strokeLinecap="round"
          />
          <Body d="M-19 0C-20 46 -16 92 14 136Q20 144 22 134C24 84 24 40 19 0Z" color={color} />
          <Gloss d="M-12 8C-13 50 -8 84 8 112Q0 60 -2 8Z" strength={0.65} />
          <Body
            d="M-22 4Q-22 -18 0 -18Q22 -18 22 4Q12 -4 6 6Q0 -4 -6 6Q-12 -4 -22 4Z"
            color={lighter(color, 0.2)}
          />
        </g>
      ))}
    </>
  )
}

function Apples({ color }: { color: string }) {
  const id = useId()
  const d = 'M0 -40C20 -58 66 -52 66 -4C66 40 34 66 0 58C-34 66 -66 40 -66 -4C-66 -52 -20 -58 0 -40Z'
  return (
    <>
      <radialGradient id={id} cx="0.62" cy="0.52" r="0.55">
        <stop stopColor="#c81e2b" stopOpacity="0.95" />
        <stop offset="0.6" stopColor="#d93a2b" stopOpacity="0.7" />
        <stop offset="1" stopColor="#e0652b" stopOpacity="0" />
      </radialGradient>
      {['translate(86 96) rotate(-8)', 'translate(180 112) rotate(10) scale(0.9)', 'translate(122 174)'].map(
        (place) => (
          <g key={place} transform={place}>
            <Body d={d} color={color} light="ball" />
            <path d={d} fill={`url(#${id})`} />
            <path
              d="M0 -38Q-2 -58 8 -68"
              fill="none"
              stroke="#6b4426"
              strokeWidth="7"
              strokeLinecap="round"
            />
            <Leaf transform="translate(6 -56) scale(0.7)" />
            <Gloss
              d="M-46 -12C-42 -30 -30 -38 -16 -38C-28 -28 -34 -16 -34 0Q-44 2 -46 -12Z"
              strength={0.85}
            />
          </g>
        ),
      )}
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

const PRODUCE: Record<string, (props: { color: string }) => React.ReactNode> = {
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
