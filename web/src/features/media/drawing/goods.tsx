import type { Drawing } from '@/features/media/drawing/model'
import {
  Body,
  Emblem,
  Gloss,
  Inside,
  PackSize,
  Paper,
  PrintOn,
  Shadow,
  Words,
} from '@/features/media/drawing/parts'
import { darker, inkOn, lighter, randomFrom } from '@/features/media/drawing/shade'

const PIECES: Record<string, { d: string; at: [number, number][] }> = {
  chunks: {
    d: 'M-34 6C-38 -18 -14 -30 8 -26C30 -24 40 -6 34 12C28 28 -30 30 -34 6Z',
    at: [
      [80, 104],
      [140, 96],
      [190, 116],
      [104, 136],
      [164, 142],
    ],
  },
  cubes: {
    d: 'M-26 -18Q-22 -26 -12 -26L20 -24Q28 -22 28 -14L26 18Q24 26 14 26L-20 24Q-28 22 -28 14Z',
    at: [
      [74, 104],
      [132, 96],
      [188, 106],
      [98, 142],
      [156, 146],
      [206, 140],
      [52, 136],
    ],
  },
  fillets: {
    d: 'M-52 10C-54 -16 -18 -28 14 -24C48 -20 62 0 44 14C20 32 -48 34 -52 10Z',
    at: [
      [98, 104],
      [164, 118],
      [104, 144],
    ],
  },
  slabs: {
    d: 'M-40 -20Q0 -32 40 -20Q48 -16 46 -6L42 18Q-2 32 -44 18L-46 -8Q-46 -18 -40 -20Z',
    at: [
      [92, 102],
      [168, 106],
      [88, 142],
      [166, 146],
    ],
  },
}

/** Pieces of meat on a tray; the accent is the colour of bone or fat. */
export function Tray({ drawing }: { drawing: Drawing }) {
  const { color, accent = '#fbeee2', emblem } = drawing
  const name = drawing.shape ?? 'chunks'
  const { d, at } = PIECES[name] ?? { d: '', at: [] }
  return (
    <>
      <Shadow y={222} width={118} />
      <Body
        d="M14 100Q12 84 28 80Q128 58 228 80Q244 84 242 100L230 206Q228 222 212 222H44Q28 222 26 206Z"
        color="#f4f5f8"
      />
      <Body d="M26 102Q128 78 230 102L222 168Q128 186 34 168Z" color="#dfe3ea" light="down" />
      {at.map(([x, y], index) => (
        <g key={`${x} ${y}`} transform={`translate(${x} ${y}) rotate(${((index * 67) % 50) - 25})`}>
          <Body d={d} color={index % 2 ? darker(color, 0.08) : color} light="ball" />
          {name === 'slabs' ? <path d="M-44 10L42 12L41 20Q-2 34 -44 20Z" fill={accent} /> : null}
          {name === 'slabs' ? (
            <path d="M-40 -4Q0 4 42 -6" fill="none" stroke={accent} strokeWidth="5" opacity="0.7" />
          ) : null}
          {name === 'chunks' ? (
            <circle cx="16" cy="4" r="9" fill={accent} stroke={darker(accent, 0.2)} strokeWidth="3" />
          ) : null}
          {name === 'cubes' ? (
            <path
              d="M-18 -8Q0 -2 18 -12M-16 10Q4 16 20 6"
              fill="none"
              stroke={accent}
              strokeWidth="3"
              opacity="0.6"
            />
          ) : null}
          <path
            d="M-20 -12Q-8 -22 8 -20"
            fill="none"
            stroke="#fff"
            strokeWidth="4"
            strokeLinecap="round"
            opacity="0.5"
          />
        </g>
      ))}
      <Paper
        drawing={drawing}
        frame={{ x: emblem ? 86 : 48, y: 164, width: emblem ? 128 : 160, height: 50 }}
        color="#ffffff"
        ink="#7a1f1f"
      />
      <Emblem of={emblem} x={54} y={184} size={66} />
      <PackSize text={drawing.pack} x={200} y={84} color="#ffffff" size={16} />
      <Gloss d="M34 92Q70 80 110 76L96 88Q64 92 38 100Z" strength={0.7} />
    </>
  )
}

const EGG = 'M0 -24C12 -24 20 -6 20 6C20 18 11 25 0 25C-11 25 -20 18 -20 6C-20 -6 -12 -24 0 -24Z'

/** Eggs in a tray of grey pulp, row behind row. */
export function Crate({ drawing }: { drawing: Drawing }) {
  const { color, accent = '#9aa0b0' } = drawing
  const rows = [
    { y: 74, count: 6, scale: 0.78, left: 50, step: 31 },
    { y: 98, count: 6, scale: 0.86, left: 42, step: 34.4 },
    { y: 124, count: 6, scale: 0.95, left: 34, step: 37.6 },
    { y: 152, count: 6, scale: 1.04, left: 26, step: 40.8 },
  ]
  return (
    <>
      <Shadow y={226} width={122} />
      <Body
        d="M40 72H216L246 172Q248 180 244 186L236 216Q232 226 220 226H36Q24 226 20 216L12 186Q8 180 10 172Z"
        color={accent}
      />
      {rows.map((row) =>
        Array.from(
          { length: row.count },
          (_, index) => `translate(${row.left + index * row.step} ${row.y}) scale(${row.scale})`,
        ).map((place) => (
          <g key={place} transform={place}>
            <Body d={EGG} color={color} light="ball" />
          </g>
        )),
      )}
      <Body
        d="M10 172Q20 160 30 172Q42 186 54 172Q66 160 78 172Q90 186 103 172Q115 160 128 172Q141 186 153 172Q166 160 178 172Q190 186 202 172Q214 160 226 172Q236 182 246 172L236 216Q232 226 220 226H36Q24 226 20 216Z"
        color={lighter(accent, 0.1)}
        light="down"
      />
      <Words
        drawing={drawing}
        frame={{ x: 40, y: 184, width: 112, height: 38 }}
        ink={darker(accent, 0.75)}
        size={30}
      />
      <PackSize text={drawing.pack} x={188} y={203} color="#ffffff" size={17} />
    </>
  )
}

/** Six eggs in an open carton. */
export function EggCarton({ drawing }: { drawing: Drawing }) {
  const { color, accent = '#4c8fbf' } = drawing
  const eggs = [74, 128, 182]
  return (
    <>
      <Shadow y={224} width={112} />
      <Body d="M36 52Q38 40 50 40H206Q218 40 220 52L228 116H28Z" color={lighter(accent, 0.28)} light="down" />
      <path d="M48 54H208L213 104H43Z" fill={darker(accent, 0.3)} opacity="0.35" />
      {[118, 150].map((y) =>
        eggs.map((x) => (
          <g key={`${x} ${y}`} transform={`translate(${x} ${y}) scale(1.36)`}>
            <Body d={EGG} color={color} light="ball" />
          </g>
        )),
      )}
      <Body
        d="M22 152Q34 140 46 154Q74 182 101 156Q128 182 155 156Q182 182 210 154Q222 140 234 152L226 212Q224 224 212 224H44Q32 224 30 212Z"
        color={accent}
        light="slant"
      />
      <Words
        drawing={drawing}
        frame={{ x: 44, y: 178, width: 112, height: 42 }}
        ink={inkOn(accent)}
        size={32}
      />
      <PackSize text={drawing.pack} x={186} y={200} color="#ffffff" size={17} />
    </>
  )
}

const LEAVES: Record<string, { leaf: string; vein: string; stems: number[]; length: number }> = {
  broad: {
    leaf: 'M0 0C-14 -26 -40 -40 -38 -72C-36 -98 -18 -100 -6 -116C0 -124 6 -116 12 -108C26 -98 40 -92 38 -64C36 -38 14 -26 0 0Z',
    vein: 'M0 10V-104M0 -40L-24 -66M0 -40L24 -66M0 -66L-18 -88M0 -66L18 -88',
    stems: [-52, 46, -26, 22, 0],
    length: 62,
  },
  round: {
    leaf: 'M0 0C-10 -20 -34 -30 -34 -58C-34 -84 -14 -96 0 -98C14 -96 34 -84 34 -58C34 -30 10 -20 0 0Z',
    vein: 'M0 10V-82M0 -30L-18 -48M0 -30L18 -48M0 -52L-14 -68M0 -52L14 -68',
    stems: [-58, 54, -36, 32, -12, 10],
    length: 66,
  },
  fine: {
    leaf: 'M0 0L-2 -30C-20 -24 -34 -34 -36 -46C-28 -46 -30 -60 -20 -60C-24 -74 -8 -80 0 -72C8 -80 24 -74 20 -60C30 -60 28 -46 36 -46C34 -34 20 -24 2 -30Z',
    vein: 'M0 6V-60M0 -34L-18 -46M0 -34L18 -46',
    stems: [-66, 62, -46, 44, -28, 26, -10, 8, -38, 36, 0],
    length: 74,
  },
  long: {
    leaf: 'M0 0C-10 -40 -12 -84 0 -128C12 -84 10 -40 0 0Z',
    vein: 'M0 10V-112',
    stems: [-44, 42, -30, 28, -18, 16, -6, 6],
    length: 50,
  },
}

/** Leaves with their stems, tied together. */
export function Bunch({ drawing }: { drawing: Drawing }) {
  const { color, accent = '#e8dcae' } = drawing
  const { leaf, vein, stems, length } = LEAVES[drawing.shape ?? 'broad'] ?? {
    leaf: '',
    vein: '',
    stems: [],
    length: 0,
  }
  const random = randomFrom(drawing.shape ?? color)
  return (
    <>
      <Shadow width={72} />
      {stems.map((angle, index) => (
        <g key={angle} transform={`translate(128 190) rotate(${angle})`}>
          <path d={`M0 0V${-length}`} stroke={lighter(color, 0.35)} strokeWidth="7" strokeLinecap="round" />
          <g transform={`translate(0 ${-length + 14 + random() * 8}) scale(${0.8 + random() * 0.15})`}>
            <Body d={leaf} color={index % 2 ? color : darker(color, 0.14)} light="slant" />
            <path
              d={vein}
              fill="none"
              stroke={lighter(color, 0.45)}
              strokeWidth="3"
              strokeLinecap="round"
              opacity="0.75"
            />
          </g>
        </g>
      ))}
      <Body d="M106 184H150L164 232Q128 244 92 232Z" color={lighter(color, 0.4)} />
      <path
        d="M112 200L104 234M122 200L118 238M134 200L138 238M144 200L152 234"
        stroke={darker(color, 0.15)}
        strokeWidth="3"
        opacity="0.5"
      />
      <Body d="M100 178Q128 170 156 178Q160 190 154 200Q128 192 102 200Q96 190 100 178Z" color={accent} />
      <path d="M100 188Q128 180 156 188" fill="none" stroke={darker(accent, 0.3)} strokeWidth="2" />
    </>
  )
}

/** A pack of match boxes with one open before it. */
export function Matches({ drawing }: { drawing: Drawing }) {
  const { color, accent = '#f7c948' } = drawing
  const sticks = [62, 84, 106, 128, 150, 172]
  return (
    <>
      <Shadow y={232} width={112} />
      <Body d="M60 40L82 24H230L212 40Z" color={lighter(color, 0.35)} />
      <Body d="M212 40L230 24V120L212 140Z" color={darker(color, 0.35)} light="down" />
      <Body d="M60 40H212V140H60Z" color={color} light="slant" />
      <path
        d="M60 65H212M60 90H212M60 115H212M136 40V140"
        stroke={darker(color, 0.4)}
        strokeWidth="2.5"
        opacity="0.6"
      />
      <Emblem of={drawing.emblem} x={180} y={66} size={48} />
      <PackSize text={drawing.pack} x={100} y={66} color={accent} size={17} />
      <Body d="M22 166L40 152H200L186 166Z" color="#e9d8b4" />
      {sticks.map((x) => (
        <g key={x}>
          <path d={`M${x - 20} 172L${x - 12} 124`} stroke="#eacb94" strokeWidth="7" strokeLinecap="round" />
          <circle cx={x - 12} cy="121" r="8" fill="#b3202c" />
          <circle cx={x - 14} cy="118" r="2.6" fill="#f08a8a" />
        </g>
      ))}
      <Body d="M22 166H186V230H22Z" color={color} light="slant" />
      <Body d="M186 166L200 152V214L186 230Z" color="#5b3a2a" light="down" />
      <PrintOn frame={{ x: 22, y: 166, width: 164, height: 64 }} print="frame" accent={accent} />
      <Words
        drawing={drawing}
        frame={{ x: 44, y: 177, width: 120, height: 42 }}
        ink={inkOn(color)}
        size={30}
      />
    </>
  )
}

/** Incense sticks in their holder, smoking, with their box. */
export function Incense({ drawing }: { drawing: Drawing }) {
  const { color, accent = '#f2b632' } = drawing
  const sticks = [
    [176, 36],
    [196, 28],
    [216, 40],
  ] as const
  return (
    <>
      <Shadow y={236} width={108} />
      <Body d="M26 62L42 48H132L118 62Z" color={lighter(color, 0.35)} />
      <Body d="M118 62L132 48V222L118 236Z" color={darker(color, 0.35)} light="down" />
      <Body d="M26 62H118V236H26Z" color={color} light="slant" />
      <PrintOn frame={{ x: 22, y: 54, width: 100, height: 190 }} print="frame" accent={accent} />
      <Emblem of={drawing.emblem} x={72} y={112} size={52} />
      <Words
        drawing={drawing}
        frame={{ x: 38, y: 142, width: 68, height: 52 }}
        ink={inkOn(color)}
        size={32}
      />
      <PackSize text={drawing.pack} x={72} y={208} color={accent} size={12} />
      {sticks.map(([x, y]) => (
        <g key={x}>
          <path d={`M196 216L${x} ${y + 24}`} stroke="#8a4b2a" strokeWidth="6" strokeLinecap="round" />
          <path
            d={`M${196 + (x - 196) * 0.4} 150L${x} ${y + 24}`}
            stroke="#4b3048"
            strokeWidth="9"
            strokeLinecap="round"
          />
          <circle cx={x} cy={y + 22} r="6" fill="#ff7a2e" />
        </g>
      ))}
      <path
        d="M196 40C184 24 210 22 200 4M216 52C206 38 230 34 220 16M176 50C164 38 186 30 176 14"
        fill="none"
        stroke="#b9b3c9"
        strokeWidth="5"
        strokeLinecap="round"
        opacity="0.75"
      />
      <Body d="M150 206H242Q244 236 214 238H178Q148 236 150 206Z" color="#d9a441" />
      <Body
        d="M146 202Q146 196 152 196H240Q246 196 246 202Q246 210 240 210H152Q146 210 146 202Z"
        color="#e9bd62"
      />
    </>
  )
}

/** A mosquito coil before its box. */
export function Coil({ drawing }: { drawing: Drawing }) {
  const { color, accent = '#f4d03f' } = drawing
  let spiral = 'M176 168'
  for (let turn = 0.4; turn < 20; turn += 0.3)
    spiral += `L${(176 + Math.cos(turn) * turn * 3.1).toFixed(1)} ${(172 + Math.sin(turn) * turn * 2.9).toFixed(1)}`
  return (
    <>
      <Shadow y={232} width={112} />
      <Body d="M20 52L38 38H196L180 52Z" color={lighter(color, 0.35)} />
      <Body d="M180 52L196 38V196L180 212Z" color={darker(color, 0.35)} light="down" />
      <Body d="M20 52H180V212H20Z" color={color} light="slant" />
      <Inside d="M20 52H180V212H20Z">
        <PrintOn frame={{ x: 20, y: 52, width: 160, height: 160 }} print="rays" accent={accent} />
      </Inside>
      <Emblem of={drawing.emblem} x={62} y={160} size={66} />
      <Words
        drawing={drawing}
        frame={{ x: 30, y: 62, width: 140, height: 56 }}
        ink={inkOn(color)}
        size={28}
      />
      <PackSize text={drawing.pack} x={66} y={200} color={accent} size={16} />
      <g transform="translate(0 4)">
        <path d={spiral} fill="none" stroke="#2d5a34" strokeWidth="12" strokeLinecap="round" />
        <path
          d={spiral}
          fill="none"
          stroke="#4e9457"
          strokeWidth="7"
          strokeLinecap="round"
          transform="translate(-1 -2)"
        />
        <circle cx="197.500" cy="227" r="7" fill="#ff7a2e" />
        <path
          d="M198 216C188 200 214 196 204 176"
          fill="none"
          stroke="#d9d5e3"
          strokeWidth="5"
          strokeLinecap="round"
        />
      </g>
    </>
  )
}

/** Candles in a pack, one of them lit before it. */
export function Candles({ drawing }: { drawing: Drawing }) {
  const { color, accent = '#c0392b' } = drawing
  const columns = [46, 76, 106, 136, 166]
  const candle = (x: number, top: number, bottom: number) =>
    `M${x} ${top + 6}Q${x} ${top} ${x + 13} ${top}Q${x + 26} ${top} ${x + 26} ${top + 6}V${bottom}H${x}Z`
  return (
    <>
      <Shadow width={108} />
      {columns.map((x) => (
        <g key={x}>
          <path d={`M${x + 13} 52V36`} stroke="#6b5a4a" strokeWidth="4" strokeLinecap="round" />
          <Body d={candle(x, 50, 220)} color={color} />
        </g>
      ))}
      <Body d="M38 118H202V230Q202 236 196 236H44Q38 236 38 230Z" color={accent} light="slant" />
      <Words
        drawing={drawing}
        frame={{ x: 46, y: 130, width: 134, height: 60 }}
        ink={inkOn(accent)}
        size={34}
      />
      <PackSize text={drawing.pack} x={112} y={212} color="#ffffff" size={18} />
      <path d="M222 100V84" stroke="#6b5a4a" strokeWidth="4" strokeLinecap="round" />
      <Body d={candle(208, 98, 238)} color={color} />
      <path
        d="M208 112Q212 130 218 116Q224 138 230 114Q234 122 234 110V104H208Z"
        fill={lighter(color, 0.5)}
      />
      <Body
        d="M222 36C238 58 240 74 232 84Q222 94 212 84C204 74 210 58 222 36Z"
        color="#ff9a2e"
        light="down"
      />
      <path d="M222 60C230 72 230 80 226 84Q222 88 218 84C214 80 216 72 222 60Z" fill="#ffe9a8" />
    </>
  )
}

/** A soft broom of grass, with a bound handle. */
export function Broom({ drawing }: { drawing: Drawing }) {
  const { color, accent = '#c0392b' } = drawing
  const random = randomFrom('broom')
  const blades = Array.from({ length: 46 }, (_, index) => {
    const spread = (index - 22.5) / 22.5
    const x = spread * 92 + (random() - 0.5) * 10
    const y = 128 - Math.abs(spread) * 26 + random() * 14
    return `M${(spread * 12).toFixed(1)} -6Q${(spread * 26).toFixed(1)} 50 ${x.toFixed(1)} ${y.toFixed(1)}`
  })
  return (
    <>
      <Shadow y={232} x={112} width={96} />
      <g transform="translate(140 110) rotate(24)">
        <Body
          d="M-12 -4C-20 40 -84 86 -98 106Q-60 140 0 140Q60 140 98 106C84 86 20 40 12 -4Z"
          color={color}
          light="slant"
        />
        <path
          d={blades.filter((_, index) => index % 2).join('')}
          fill="none"
          stroke={darker(color, 0.28)}
          strokeWidth="2.4"
          strokeLinecap="round"
        />
        <path
          d={blades.filter((_, index) => index % 2 === 0).join('')}
          fill="none"
          stroke={lighter(color, 0.4)}
          strokeWidth="2.4"
          strokeLinecap="round"
        />
        <Body d="M-13 -84Q-13 -92 0 -92Q13 -92 13 -84L14 6H-14Z" color={darker(color, 0.2)} />
        <path d="M-6 -88V4M2 -90V4M8 -88V4" stroke={darker(color, 0.4)} strokeWidth="2" opacity="0.6" />
        <path d="M-14 -74H14M-14 -52H14M-15 -30H15M-15 -6H15M-16 2H16" stroke={accent} strokeWidth="7" />
      </g>
    </>
  )
}
