import { useId } from 'react'
import { Grains } from '@/features/media/drawing/grain'
import { Body, Gloss, Inside } from '@/features/media/drawing/parts'
import { darker, lighter } from '@/features/media/drawing/shade'

function Leaf({ transform, color = '#5fae3a' }: { transform: string; color?: string }) {
  return (
    <g transform={transform}>
      <Body d="M0 0C8 -26 34 -34 58 -26C52 -4 28 10 0 0Z" color={color} light="slant" />
      <path d="M4 -2Q26 -16 50 -22" fill="none" stroke={lighter(color, 0.4)} strokeWidth="2.5" />
    </g>
  )
}

export function Papaya({ color }: { color: string }) {
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

export function Pomegranate({ color }: { color: string }) {
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

export function Guava({ color }: { color: string }) {
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

export function Coconut({ color }: { color: string }) {
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

export function Apples({ color }: { color: string }) {
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
