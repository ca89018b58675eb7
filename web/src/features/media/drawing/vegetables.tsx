import { Grains } from '@/features/media/drawing/grain'
import { Body, Gloss, Inside } from '@/features/media/drawing/parts'
import { darker, lighter } from '@/features/media/drawing/shade'

export function Cabbage({ color }: { color: string }) {
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

export function Radish({ color }: { color: string }) {
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

export function Okra({ color }: { color: string }) {
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

export function BitterGourd({ color }: { color: string }) {
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

export function BottleGourd({ color }: { color: string }) {
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

export function Mushrooms({ color }: { color: string }) {
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

export function Cauliflower({ color }: { color: string }) {
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

export function Chillies({ color }: { color: string }) {
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
