import { Grains } from '@/features/media/drawing/grain'
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
import { darker, inkOn, lighter } from '@/features/media/drawing/shade'

/** The colour of text on a colour, with a rim that keeps it readable over a pattern. */
const textColors = (color: string) => {
  const ink = inkOn(color)
  return { ink, halo: ink === '#ffffff' ? darker(color, 0.35) : lighter(color, 0.55) }
}

const seedOf = (drawing: Drawing) => drawing.label ?? drawing.color

/** A heap of the goods on the ground before their pack. */
function Heap({ drawing, x = 190 }: { drawing: Drawing; x?: number }) {
  if (!drawing.grain) return null
  const d = `M${x - 52} 240C${x - 40} 214 ${x - 22} 198 ${x - 2} 198C${x + 20} 198 ${x + 38} 216 ${x + 50} 240Q${x} 248 ${x - 52} 240Z`
  return (
    <Grains
      d={d}
      area={{ x: x - 54, y: 196, width: 106, height: 50 }}
      grain={drawing.grain}
      seed={seedOf(drawing)}
    />
  )
}

const BAG =
  'M60 44C57 90 46 176 52 222Q54 236 70 236L186 236Q202 236 204 222C210 176 199 90 196 44Q128 50 60 44Z'
const SACK =
  'M46 50C40 96 30 176 38 222Q42 238 60 238L196 238Q214 238 218 222C226 176 216 96 210 50Q128 58 46 50Z'

/** A stitched bag of woven plastic: flour, rice. */
export function Bag({ drawing }: { drawing: Drawing }) {
  const { color, accent = '#c0392b', print = 'band', emblem } = drawing
  const inner =
    print === 'plain' || print === 'band' || print === 'frame' || print === 'stripes' ? color : accent
  return (
    <>
      <Shadow width={96} />
      <Body d="M56 26Q128 33 200 26L197 50Q128 57 59 50Z" color={darker(color, 0.1)} />
      <path d="M60 37Q128 44 196 37" fill="none" stroke={accent} strokeWidth="3" strokeDasharray="7 5" />
      <Body d={BAG} color={color} />
      <Inside d={BAG}>
        <g opacity="0.94">
          <PrintOn frame={{ x: 44, y: 46, width: 168, height: 192 }} print={print} accent={accent} />
        </g>
        <path
          d="M44 60Q70 130 52 238L40 238V60ZM212 60Q190 140 206 238H220V60Z"
          fill="#2c0d4a"
          opacity="0.13"
        />
      </Inside>
      <Gloss d="M68 56C66 100 58 160 61 214Q72 214 78 212C74 160 80 100 86 58Z" />
      <Emblem of={emblem} x={128} y={104} size={66} />
      <Words
        drawing={drawing}
        frame={{ x: 62, y: emblem ? 140 : 92, width: 132, height: emblem ? 52 : 84 }}
        {...textColors(print === 'rays' || print === 'disc' ? color : inner)}
      />
      <PackSize
        text={drawing.pack}
        x={drawing.grain ? 104 : 128}
        y={213}
        color={print === 'band' ? '#ffffff' : lighter(accent, 0.82)}
        size={20}
      />
      <Heap drawing={drawing} />
    </>
  )
}

/** A jute sack: closed and printed, or open with the goods in it. */
export function Sack({ drawing }: { drawing: Drawing }) {
  const { color, accent = '#b03a2e', grain } = drawing
  const open = drawing.shape === 'open'
  const threads = Array.from(
    { length: 12 },
    (_, index) => `M30 ${70 + index * 15}Q128 ${80 + index * 15} 226 ${70 + index * 15}`,
  )
  return (
    <>
      <Shadow width={106} />
      <Body d={SACK} color={color} />
      <Inside d={SACK}>
        <path d={threads.join('')} fill="none" stroke={darker(color, 0.22)} strokeWidth="1.6" opacity="0.6" />
        <path d="M30 50Q64 130 40 240H24V50ZM226 50Q196 140 216 240H236V50Z" fill="#2c0d4a" opacity="0.16" />
      </Inside>
      {open && grain ? (
        <>
          <Grains
            d="M46 66C60 34 96 18 128 18C160 18 196 34 210 66C190 86 66 86 46 66Z"
            area={{ x: 44, y: 14, width: 168, height: 70 }}
            grain={grain}
            seed={seedOf(drawing)}
          />
          <Body
            d="M36 60Q36 50 46 54C80 78 176 78 210 54Q220 50 220 60Q220 74 210 80C176 100 80 100 46 80Q36 74 36 60Z"
            color={lighter(color, 0.12)}
          />
        </>
      ) : (
        <>
          <Body
            d="M46 54Q40 34 30 26Q52 34 128 36Q204 34 226 26Q216 34 210 54Q128 62 46 54Z"
            color={lighter(color, 0.1)}
          />
          <path d="M46 48Q128 57 210 48" fill="none" stroke={accent} strokeWidth="4" strokeDasharray="9 6" />
        </>
      )}
      <Inside d={SACK}>
        <rect x="20" y="100" width="216" height="9" fill={accent} />
        <rect x="20" y="192" width="216" height="9" fill={accent} />
      </Inside>
      <Paper
        drawing={drawing}
        frame={{ x: 56, y: 116, width: 144, height: 70 }}
        color={lighter(color, 0.62)}
        ink={darker(accent, 0.35)}
        size={38}
      />
      <PackSize text={drawing.pack} x={128} y={219} color={accent} size={23} />
    </>
  )
}

type Box = { x: number; y: number; width: number; height: number }

const PACKETS: Record<string, Box> = {
  tall: { x: 46, y: 14, width: 164, height: 226 },
  wide: { x: 18, y: 56, width: 220, height: 156 },
  square: { x: 36, y: 36, width: 184, height: 196 },
  small: { x: 58, y: 36, width: 140, height: 200 },
}

const boxOf = (shape: string | undefined): Box =>
  PACKETS[shape ?? 'tall'] ?? { x: 46, y: 14, width: 164, height: 226 }

/** The outline of a pillow pack, with a jagged edge where it is sealed at the top and the bottom. */
function packetOutline({ x, y, width, height }: Box): string {
  const teeth = Math.round(width / 10)
  const step = width / teeth
  const row = (sign: 1 | -1) =>
    `l${(sign * step) / 2} ${-sign * 5}l${(sign * step) / 2} ${sign * 5}`.repeat(teeth)
  return `M${x} ${y}${row(1)}v12q-5 8 0 20q5 ${height / 2 - 32} 0 ${height - 64}q-5 12 0 20v12${row(-1)}v-12q5 -8 0 -20q-5 ${-height / 2 + 32} 0 ${-height + 64}q5 -12 0 -20Z`
}

/** A printed packet, with a window if the goods can be seen. */
export function Packet({ drawing }: { drawing: Drawing }) {
  const { color, accent = lighter(color, 0.7), emblem, grain, print } = drawing
  const box = boxOf(drawing.shape)
  const { x, y, width, height } = box
  const d = packetOutline(box)
  const [middle, bottom] = [x + width / 2, y + height]
  const tall = height > width
  const windowHeight = height * 0.3
  const windowTop = bottom - windowHeight - 34
  const pane = `M${x + 16} ${windowTop + 14}Q${middle} ${windowTop - 12} ${x + width - 16} ${windowTop + 14}V${windowTop + windowHeight - 12}Q${middle} ${windowTop + windowHeight + 12} ${x + 16} ${windowTop + windowHeight - 12}Z`
  const emblemSize = grain ? height * 0.25 : tall ? height * 0.36 : height * 0.52
  const emblemY = grain ? y + height * 0.22 : tall ? y + height * 0.34 : y + height * 0.5
  // A wide packet has its picture at the right and its name at the left of it.
  const words = tall
    ? {
        x: x + 12,
        y: grain
          ? emblem
            ? y + height * 0.33
            : y + height * 0.13
          : emblem
            ? y + height * 0.54
            : y + height * 0.3,
        width: width - 24,
        height: grain ? (emblem ? height * 0.18 : height * 0.36) : height * 0.26,
      }
    : { x: x + 18, y: y + height * 0.24, width: emblem ? width * 0.5 : width - 36, height: height * 0.44 }
  const onAccent =
    tall && ((!grain && (print === 'wave' || print === 'hills')) || (print === 'disc' && !emblem))
  return (
    <>
      <Shadow y={bottom} width={width * 0.62} />
      <Body d={d} color={color} />
      <Inside d={d}>
        <PrintOn
          frame={{ x: x - 6, y: y + 18, width: width + 12, height: height - 36 }}
          print={print}
          accent={accent}
        />
        <rect x={x - 6} y={y - 6} width={width + 12} height="20" fill="#fff" opacity="0.22" />
        <rect x={x - 6} y={bottom - 14} width={width + 12} height="20" fill="#2c0d4a" opacity="0.16" />
        <path
          d={`M${x + width + 8} ${y}Q${x + width - 30} ${y + height / 2} ${x + width + 8} ${bottom}Z`}
          fill="#2c0d4a"
          opacity="0.2"
        />
      </Inside>
      {grain ? (
        <>
          <Grains
            d={pane}
            area={{ x, y: windowTop - 10, width, height: windowHeight + 24 }}
            grain={grain}
            seed={seedOf(drawing)}
          />
          <path d={pane} fill="none" stroke={lighter(color, 0.5)} strokeWidth="3" />
        </>
      ) : null}
      <Emblem of={emblem} x={tall ? middle : x + width * 0.76} y={emblemY} size={emblemSize} />
      <Words
        drawing={drawing}
        frame={words}
        {...textColors(onAccent ? accent : color)}
        size={tall ? 36 : 38}
      />
      <PackSize
        text={drawing.pack}
        x={tall ? middle : x + width * 0.28}
        y={bottom - 28}
        color={lighter(accent, 0.75)}
        size={15}
      />
      <Gloss
        d={`M${x + 12} ${y + 26}q-4 ${height * 0.3} 0 ${height * 0.6}q8 0 12 -4q-6 ${-height * 0.28} 2 ${-height * 0.56}Z`}
        strength={0.55}
      />
    </>
  )
}

/** A clear packet full of goods, closed with a folded card that has the name. */
export function ClearPacket({ drawing }: { drawing: Drawing }) {
  const { color, accent = '#2e7d4f', grain } = drawing
  const d = 'M58 84C50 120 44 190 52 222Q56 236 72 236H184Q200 236 204 222C212 190 206 120 198 84Z'
  return (
    <>
      <Shadow width={92} />
      <path d={d} fill="#eef3fb" />
      {grain ? (
        <Grains
          d="M55 108Q90 96 128 104Q168 110 201 102C208 140 208 190 202 220Q198 233 184 233H72Q58 233 54 220C48 190 50 140 55 108Z"
          area={{ x: 48, y: 94, width: 160, height: 140 }}
          grain={grain}
          seed={seedOf(drawing)}
        />
      ) : null}
      <path d={d} fill="none" stroke="#ffffff" strokeWidth="3" opacity="0.8" />
      <Gloss d="M64 96C58 130 56 180 60 214Q70 220 76 216C70 180 74 130 82 96Z" strength={0.75} />
      <Gloss d="M186 100Q194 150 190 206Q184 210 180 206Q186 150 178 100Z" strength={0.4} />
      <Body
        d="M46 26Q46 20 52 20H204Q210 20 210 26V94Q210 100 204 100H52Q46 100 46 94Z"
        color={color}
        light="slant"
      />
      <rect x="46" y="86" width="164" height="6" fill={accent} />
      <path d="M116 29h24" stroke="#8d93a3" strokeWidth="4" strokeLinecap="round" />
      <Words
        drawing={drawing}
        frame={{ x: 54, y: 34, width: 148, height: 52 }}
        ink={inkOn(color)}
        size={34}
      />
      <PackSize text={drawing.pack} x={128} y={214} color={color} size={17} />
    </>
  )
}

const BOXES: Record<string, Box & { depth: number }> = {
  tall: { x: 38, y: 30, width: 146, height: 208, depth: 34 },
  wide: { x: 18, y: 88, width: 188, height: 136, depth: 32 },
  long: { x: 10, y: 106, width: 214, height: 92, depth: 22 },
  square: { x: 30, y: 52, width: 162, height: 178, depth: 34 },
}

/** A carton seen from its front and its right side. */
export function Carton({ drawing }: { drawing: Drawing }) {
  const { color, accent = lighter(color, 0.7), emblem, print } = drawing
  const { x, y, width, height, depth } = BOXES[drawing.shape ?? 'tall'] ?? {
    x: 38,
    y: 30,
    width: 146,
    height: 208,
    depth: 34,
  }
  const [right, bottom] = [x + width, y + height]
  const front = `M${x} ${y}H${right}V${bottom}H${x}Z`
  const tall = height > width
  const words = tall
    ? { x: x + 8, y: y + height * (emblem ? 0.54 : 0.26), width: width - 16, height: height * 0.27 }
    : { x: x + 10, y: y + height * 0.14, width: emblem ? width * 0.58 : width - 20, height: height * 0.52 }
  const dark = tall && (print === 'wave' || print === 'hills')
  return (
    <>
      <Shadow x={x + width / 2 + 14} y={bottom + 1} width={width * 0.66} />
      <Body
        d={`M${right} ${y}l${depth} -16V${bottom - 18}L${right} ${bottom}Z`}
        color={darker(color, 0.3)}
        light="down"
      />
      <Body d={`M${x} ${y}l${depth} -16H${right + depth}L${right} ${y}Z`} color={lighter(color, 0.35)} />
      <Body d={front} color={color} light="slant" />
      <Inside d={front}>
        <PrintOn frame={{ x, y, width, height }} print={print} accent={accent} />
      </Inside>
      <Emblem
        of={emblem}
        x={tall ? x + width / 2 : x + width * 0.78}
        y={tall ? y + height * 0.32 : y + height * 0.46}
        size={tall ? height * 0.37 : Math.min(height * 0.66, width * 0.4)}
      />
      <Words drawing={drawing} frame={words} {...textColors(dark ? accent : color)} size={36} />
      <PackSize
        text={drawing.pack}
        x={tall ? x + width / 2 : x + width * 0.3}
        y={bottom - 22}
        color={lighter(accent, 0.78)}
        size={16}
      />
      <Gloss d={`M${x} ${y}h${width * 0.16}L${x + width * 0.06} ${bottom}H${x}Z`} strength={0.3} />
    </>
  )
}

/** A bar of soap: wrapped, or bare with its name pressed in. */
export function Bar({ drawing }: { drawing: Drawing }) {
  const { color, accent = '#ffffff', emblem, print = 'disc' } = drawing
  const bare = drawing.shape === 'bare'
  const top = 'M38 84Q42 72 56 72H226Q238 72 234 84L220 116H18Z'
  const front = 'M18 116H220V192Q220 210 202 210H36Q18 210 18 192Z'
  const side = 'M220 116L234 84Q238 80 238 92V162Q238 172 232 182L218 204Q220 200 220 192Z'
  return (
    <>
      <Shadow y={210} width={118} />
      <Body d={top} color={lighter(color, 0.3)} />
      <Body d={side} color={darker(color, 0.3)} light="down" />
      <Body d={front} color={color} light="slant" />
      {bare ? null : (
        <Inside d={front}>
          <PrintOn frame={{ x: 18, y: 116, width: 202, height: 94 }} print={print} accent={accent} />
        </Inside>
      )}
      {bare ? (
        <rect
          x="32"
          y="128"
          width="174"
          height="70"
          rx="14"
          fill="none"
          stroke={darker(color, 0.28)}
          strokeWidth="3"
          opacity="0.7"
        />
      ) : null}
      <Words
        drawing={drawing}
        frame={{ x: 30, y: 128, width: emblem ? 120 : 176, height: 70 }}
        {...(bare ? { ink: darker(color, 0.65) } : textColors(color))}
      />
      <Emblem of={emblem} x={182} y={150} size={88} />
      <PackSize text={drawing.pack} x={150} y={94} color={lighter(color, 0.7)} size={18} />
      <Gloss d="M48 80H110L94 106H34Z" strength={0.5} />
    </>
  )
}

/** An unwrapped block: jaggery, paneer, cheese. */
export function Block({ drawing }: { drawing: Drawing }) {
  const { color, accent, grain } = drawing
  const rough = drawing.shape === 'round'
  const top = rough
    ? 'M38 100C44 66 96 52 132 54C178 54 218 72 220 104C222 132 170 146 128 146C82 146 34 132 38 100Z'
    : 'M34 98L104 62Q112 58 122 61L222 92Q230 96 222 101L150 138Q142 142 132 139L36 106Q28 102 34 98Z'
  const front = rough
    ? 'M38 100C34 132 82 146 128 146C170 146 222 132 220 104L214 178C208 210 168 220 128 220C88 220 48 208 44 176Z'
    : 'M31 102Q33 105 38 107L132 139Q137 141 141 141V214Q136 214 130 212L40 180Q31 177 31 168Z'
  return (
    <>
      <Shadow y={218} width={108} />
      <Body d={front} color={color} light="slant" />
      {rough ? null : (
        <Body
          d="M141 141Q146 141 150 138L225 100V166Q225 174 218 178L150 211Q146 214 141 214Z"
          color={darker(color, 0.2)}
          light="down"
        />
      )}
      {grain ? (
        <g opacity="0.5">
          <Grains
            d={front}
            area={{ x: 28, y: 100, width: 200, height: 120 }}
            grain={grain}
            seed={seedOf(drawing)}
          />
        </g>
      ) : null}
      <Body d={top} color={lighter(color, 0.25)} light="slant" />
      <Gloss
        d={rough ? 'M60 92C76 70 110 64 130 66C110 74 84 84 74 104Z' : 'M52 98L108 70L128 76L74 104Z'}
        strength={0.55}
      />
      <Paper
        drawing={drawing}
        frame={rough ? { x: 66, y: 152, width: 124, height: 52 } : { x: 40, y: 130, width: 92, height: 48 }}
        ink={darker(accent ?? color, 0.55)}
      />
      <PackSize
        text={drawing.pack}
        x={rough ? 128 : 184}
        y={rough ? 132 : 168}
        color={accent ?? lighter(color, 0.7)}
        size={17}
      />
    </>
  )
}
