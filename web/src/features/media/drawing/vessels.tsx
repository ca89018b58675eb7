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

const seedOf = (drawing: Drawing) => drawing.label ?? drawing.color

type BottleShape = {
  outline: string
  cap: string
  /** The band around the bottle that has the name. */
  label: { y: number; height: number; x: number; width: number }
  gloss: string
}

const BOTTLES: Record<string, BottleShape> = {
  oil: {
    outline:
      'M108 56H148V70C152 84 186 92 186 122V220Q186 236 170 236H86Q70 236 70 220V122C70 92 104 84 108 70Z',
    cap: 'M104 26Q104 20 110 20H146Q152 20 152 26V58H104Z',
    label: { x: 70, width: 116, y: 128, height: 78 },
    gloss: 'M82 124C82 108 96 100 108 92L112 96C104 106 98 112 98 126V216H82Z',
  },
  cola: {
    outline:
      'M112 48H144V72C146 92 178 106 178 134C178 146 170 150 170 162C170 174 180 180 180 196V222Q180 238 164 238H92Q76 238 76 222V196C76 180 86 174 86 162C86 150 78 146 78 134C78 106 110 92 112 72Z',
    cap: 'M108 22Q108 16 114 16H142Q148 16 148 22V50H108Z',
    label: { x: 76, width: 104, y: 124, height: 56 },
    gloss: 'M90 130C90 112 108 102 114 82H122C118 108 104 116 104 134V226H90Z',
  },
  water: {
    outline:
      'M110 46H146V64C148 78 178 88 178 112V224Q178 238 164 238H92Q78 238 78 224V112C78 88 108 78 110 64Z',
    cap: 'M106 22Q106 16 112 16H144Q150 16 150 22V48H106Z',
    label: { x: 78, width: 100, y: 122, height: 58 },
    gloss: 'M90 114C90 100 106 90 112 80L118 84C112 96 104 102 104 116V228H90Z',
  },
  shampoo: {
    outline:
      'M104 74H152C176 82 184 104 184 134C184 168 178 204 174 224Q170 238 156 238H100Q86 238 82 224C78 204 72 168 72 134C72 104 80 82 104 74Z',
    cap: 'M102 36Q102 28 110 28H146Q154 28 154 36V76H102Z',
    label: { x: 72, width: 112, y: 118, height: 76 },
    gloss:
      'M88 134C88 112 96 98 110 90L114 96C104 108 102 120 102 140C102 180 104 206 108 226H98C92 200 88 168 88 134Z',
  },
  flat: {
    outline:
      'M112 78H144V88C164 92 178 104 178 124V220Q178 238 160 238H96Q78 238 78 220V124C78 104 92 92 112 88Z',
    cap: 'M108 38L114 26H142L148 38V80H108Z',
    label: { x: 78, width: 100, y: 124, height: 82 },
    gloss: 'M90 126C90 112 100 104 112 100V106C106 112 104 118 104 130V224H90Z',
  },
  cleaner: {
    outline:
      'M84 62L118 46L134 70C140 84 178 92 182 124L186 216Q186 238 166 238H92Q72 238 72 218L76 128C78 110 96 104 98 90Z',
    cap: 'M62 36Q58 30 64 26L88 14Q96 12 100 18L122 46L84 66Z',
    label: { x: 74, width: 110, y: 130, height: 76 },
    gloss: 'M90 132C92 118 106 110 108 96L114 98C112 114 104 122 104 136V226H88Z',
  },
  jug: {
    outline:
      'M104 60H146V74C158 82 192 86 192 118V218Q192 238 172 238H84Q64 238 64 218V118C64 90 96 86 104 74Z',
    cap: 'M98 26Q98 20 104 20H146Q152 20 152 26V62H98Z',
    label: { x: 64, width: 128, y: 132, height: 78 },
    gloss: 'M76 122C76 106 92 100 104 94L110 98C98 106 92 112 92 126V224H76Z',
  },
}

/** A bottle; the colour is that of what is in it, or of the bottle itself. */
export function Bottle({ drawing }: { drawing: Drawing }) {
  const { color, accent = '#d33a2c', emblem, print } = drawing
  const shape = BOTTLES[drawing.shape ?? 'oil'] ?? BOTTLES.oil
  if (!shape) return null
  const { x, y, width, height } = shape.label
  const paper = print === 'plain' ? lighter(accent, 0.86) : accent
  const clear = drawing.shape === 'water'
  return (
    <>
      <Shadow width={76} />
      <g opacity={clear ? 0.85 : 1}>
        <Body d={shape.outline} color={color} />
      </g>
      {clear ? (
        <path
          d="M80 196Q128 204 176 196M80 212Q128 220 176 212M80 108Q128 116 176 108"
          fill="none"
          stroke="#fff"
          strokeWidth="4"
          opacity="0.7"
        />
      ) : null}
      <Inside d={shape.outline}>
        <Body
          d={`M${x - 4} ${y}Q128 ${y + 10} ${x + width + 4} ${y}V${y + height}Q128 ${y + height + 10} ${x - 4} ${y + height}Z`}
          color={paper}
        />
        <path
          d={`M${x - 4} ${y}Q128 ${y + 10} ${x + width + 4} ${y}v4Q128 ${y + 14} ${x - 4} ${y + 4}Z`}
          fill={darker(accent, 0.2)}
          opacity="0.6"
        />
      </Inside>
      <Body d={shape.cap} color={accent} />
      <Gloss d={shape.gloss} strength={0.65} />
      <Words
        drawing={drawing}
        frame={{
          x: x + 7,
          y: y + 8,
          width: width - 14,
          height: height - (drawing.pack && height > 70 ? 26 : 8),
        }}
        ink={inkOn(paper)}
        size={30}
      />
      {height > 70 ? (
        <PackSize text={drawing.pack} x={128} y={y + height - 8} color={lighter(color, 0.75)} size={15} />
      ) : (
        <PackSize text={drawing.pack} x={128} y={y + height + 26} color="#ffffff" size={16} />
      )}
      <Emblem
        of={emblem}
        x={drawing.shape === 'flat' || drawing.shape === 'cleaner' ? 132 : 128}
        y={y - 14}
        size={46}
      />
    </>
  )
}

/** A large jar of drinking water. */
export function Jug({ drawing }: { drawing: Drawing }) {
  const { color, accent = '#1769c2' } = drawing
  const d =
    'M106 46H150V58C154 70 202 70 202 104V218Q202 238 182 238H74Q54 238 54 218V104C54 70 102 70 106 58Z'
  return (
    <>
      <Shadow width={96} />
      <Body d={d} color={color} />
      <path
        d="M54 112Q128 124 202 112M54 194Q128 206 202 194M56 208Q128 220 200 208"
        fill="none"
        stroke={darker(color, 0.25)}
        strokeWidth="5"
        opacity="0.45"
      />
      <Body d="M100 22Q100 16 106 16H150Q156 16 156 22V48H100Z" color={accent} />
      <Gloss d="M68 112C68 94 92 88 108 80L114 86C98 96 88 100 88 116V224H68Z" strength={0.75} />
      <Paper
        drawing={drawing}
        frame={{ x: 66, y: 124, width: 124, height: 58 }}
        color="#ffffff"
        ink={darker(accent, 0.3)}
      />
      <PackSize text={drawing.pack} x={128} y={214} color={accent} size={20} />
    </>
  )
}

/** A glass jar with a lid: pickle, honey, ghee, coffee. */
export function Jar({ drawing }: { drawing: Drawing }) {
  const { color, accent = '#c0392b', grain, emblem } = drawing
  const low = drawing.shape === 'low'
  const [top, lid] = low ? [104, 66] : [70, 30]
  const d = `M74 ${top}H182C194 ${top + 6} 204 ${top + 16} 204 ${top + 36}V214Q204 238 180 238H76Q52 238 52 214V${top + 36}C52 ${top + 16} 62 ${top + 6} 74 ${top}Z`
  const content = `M60 ${top + 34}Q128 ${top + 24} 196 ${top + 34}V210Q196 230 178 230H78Q60 230 60 210Z`
  const labelTop = low ? 140 : 128
  return (
    <>
      <Shadow width={92} />
      <path d={d} fill="#e4eef7" />
      {grain ? (
        <Grains
          d={content}
          area={{ x: 56, y: top + 20, width: 144, height: 200 - top }}
          grain={grain}
          seed={seedOf(drawing)}
        />
      ) : (
        <Body d={content} color={color} />
      )}
      <path d={d} fill="none" stroke="#fff" strokeWidth="4" opacity="0.75" />
      <Body
        d={`M62 ${lid + 8}Q62 ${lid} 70 ${lid}H186Q194 ${lid} 194 ${lid + 8}V${top + 2}Q128 ${top + 12} 62 ${top + 2}Z`}
        color={accent}
      />
      <path
        d={`M64 ${top - 10}Q128 ${top} 192 ${top - 10}`}
        fill="none"
        stroke={darker(accent, 0.35)}
        strokeWidth="3"
        opacity="0.5"
      />
      {/* Below the label, whose words it would hide. */}
      <Gloss
        d={`M64 ${top + 34}C64 ${top + 20} 72 ${top + 14} 82 ${top + 8}L90 ${top + 12}C82 ${top + 22} 80 ${top + 28} 80 ${top + 40}V218H66Z`}
        strength={0.8}
      />
      <Inside d={d}>
        <Body
          d={`M40 ${labelTop}Q128 ${labelTop + 10} 216 ${labelTop}V208Q128 220 40 208Z`}
          color="#fff6e4"
        />
        <path
          d={`M40 ${labelTop}Q128 ${labelTop + 10} 216 ${labelTop}v5Q128 ${labelTop + 15} 40 ${labelTop + 5}ZM40 203Q128 215 216 203v5Q128 220 40 208Z`}
          fill={accent}
        />
      </Inside>
      <Emblem of={emblem} x={128} y={labelTop - (low ? 14 : 20)} size={low ? 40 : 56} />
      <Words
        drawing={drawing}
        frame={{ x: 62, y: labelTop + 11, width: 132, height: 190 - labelTop }}
        ink={darker(accent, 0.55)}
        size={34}
      />
      <PackSize text={drawing.pack} x={128} y={224} color={accent} size={15} />
    </>
  )
}

/** A round tin. */
export function Tin({ drawing }: { drawing: Drawing }) {
  const { color, accent = lighter(color, 0.7), emblem, print } = drawing
  const d = 'M56 56V216C56 230 88 240 128 240C168 240 200 230 200 216V56Z'
  return (
    <>
      <Shadow width={92} />
      <Body d={d} color={color} />
      <Inside d={d}>
        <PrintOn frame={{ x: 52, y: 64, width: 152, height: 176 }} print={print} accent={accent} />
        <path d="M200 40H164Q188 140 168 244H204Z" fill="#2c0d4a" opacity="0.2" />
      </Inside>
      <Body
        d="M52 44C52 28 86 20 128 20C170 20 204 28 204 44V58C204 72 170 78 128 78C86 78 52 72 52 58Z"
        color="#d7dbe4"
      />
      <ellipse cx="128" cy="43" rx="70" ry="17" fill="#f3f5f9" />
      <Emblem of={emblem} x={128} y={116} size={70} />
      <Words
        drawing={drawing}
        frame={{ x: 64, y: emblem ? 152 : 104, width: 128, height: emblem ? 52 : 80 }}
        ink={inkOn(print === 'wave' || print === 'hills' ? accent : color)}
        halo={print === 'wave' ? darker(accent, 0.3) : undefined}
      />
      <PackSize text={drawing.pack} x={128} y={220} color={lighter(accent, 0.75)} size={16} />
      <Gloss d="M66 84V210Q72 216 80 218V86Z" strength={0.55} />
    </>
  )
}

/** A plastic tub with a lid. */
export function Tub({ drawing }: { drawing: Drawing }) {
  const { color, accent = '#2471b8', emblem } = drawing
  const d = 'M48 92H208L194 222Q192 238 176 238H80Q64 238 62 222Z'
  return (
    <>
      <Shadow width={92} />
      <Body d={d} color={color} />
      <Inside d={d}>
        <PrintOn
          frame={{ x: 48, y: 92, width: 160, height: 146 }}
          print={drawing.print ?? 'wave'}
          accent={accent}
        />
        <path d="M208 92Q176 160 196 240H220V92Z" fill="#2c0d4a" opacity="0.16" />
      </Inside>
      <Body d="M38 74Q38 64 50 64H206Q218 64 218 74V88Q218 98 206 98H50Q38 98 38 88Z" color={accent} />
      <Body d="M54 54Q56 50 64 50H192Q200 50 202 54L206 66H50Z" color={lighter(accent, 0.3)} />
      <Emblem of={emblem} x={128} y={130} size={56} />
      <Words
        drawing={drawing}
        frame={{ x: 66, y: emblem ? 160 : 122, width: 124, height: emblem ? 48 : 80 }}
        ink={inkOn(drawing.print === 'plain' ? color : accent)}
        halo={drawing.print === 'plain' ? undefined : darker(accent, 0.3)}
        size={42}
      />
      <PackSize text={drawing.pack} x={128} y={220} color="#ffffff" size={16} />
      <Gloss d="M62 106L74 218H86L78 106Z" strength={0.6} />
    </>
  )
}

/** A clay pot, as curd is set in. */
export function Pot({ drawing }: { drawing: Drawing }) {
  const { color, accent = '#fff6df' } = drawing
  return (
    <>
      <Shadow width={100} />
      <Body d="M34 100C30 160 66 236 100 236H156C190 236 226 160 222 100Z" color={color} />
      <path d="M42 142Q128 164 214 142L212 152Q128 174 44 152Z" fill={darker(color, 0.3)} opacity="0.35" />
      <Body
        d="M26 92C26 68 72 58 128 58C184 58 230 68 230 92C230 116 184 126 128 126C72 126 26 116 26 92Z"
        color={lighter(color, 0.14)}
      />
      <Body
        d="M44 90C44 74 82 68 128 68C174 68 212 74 212 90C212 108 174 114 128 114C82 114 44 108 44 90Z"
        color={accent}
        light="slant"
      />
      <path
        d="M96 84q20 -8 44 -2M120 98q24 6 48 -3"
        fill="none"
        stroke={darker(accent, 0.18)}
        strokeWidth="3"
        strokeLinecap="round"
      />
      <Paper drawing={drawing} frame={{ x: 72, y: 160, width: 112, height: 48 }} ink={darker(color, 0.5)} />
      <PackSize text={drawing.pack} x={128} y={222} color={darker(color, 0.35)} size={15} />
      <Gloss d="M50 128C54 158 68 190 82 212L94 214C76 186 66 156 64 130Z" strength={0.4} />
    </>
  )
}

/** A squeezed tube, lying across. */
export function Tube({ drawing }: { drawing: Drawing }) {
  const { color, accent = '#d33a2c' } = drawing
  const d = 'M70 60H222Q226 60 226 64V168Q226 172 222 172H70C44 164 38 140 38 116C38 92 44 68 70 60Z'
  return (
    <>
      <Shadow y={196} width={110} />
      <g transform="rotate(-8 128 128)">
        <Body d={d} color={color} light="down" />
        <Inside d={d}>
          <path d="M30 140C90 110 150 176 240 134V180H30Z" fill={accent} />
          <path d="M206 50H230V180H206Z" fill="#2c0d4a" opacity="0.12" />
        </Inside>
        <path d="M212 62V170M218 62V170" stroke={darker(color, 0.2)} strokeWidth="2" />
        <Body d="M12 92Q12 86 18 86H42V146H18Q12 146 12 140Z" color={accent} light="down" />
        <Gloss d="M72 68H206V80H68Q60 84 54 92Q58 74 72 68Z" strength={0.85} />
        <Words drawing={drawing} frame={{ x: 58, y: 82, width: 146, height: 50 }} ink={inkOn(color)} />
        <PackSize text={drawing.pack} x={172} y={156} color="#ffffff" size={16} />
      </g>
    </>
  )
}

/** A heap of goods in a metal bowl that has the name. */
export function Bowl({ drawing }: { drawing: Drawing }) {
  const { color, grain } = drawing
  return (
    <>
      <Shadow width={86} />
      <Body d="M94 222H162L168 236Q128 244 88 236Z" color={darker(color, 0.12)} />
      <Body d="M28 134C32 200 76 228 128 228C180 228 224 200 228 134Z" color={color} />
      <Body
        d="M24 132C24 116 66 106 128 106C190 106 232 116 232 132C232 148 190 158 128 158C66 158 24 148 24 132Z"
        color={lighter(color, 0.25)}
      />
      {grain ? (
        <Grains
          d="M36 132C48 84 92 48 128 48C164 48 208 84 220 132C208 146 172 151 128 151C84 151 48 146 36 132Z"
          area={{ x: 34, y: 44, width: 190, height: 108 }}
          grain={grain}
          seed={seedOf(drawing)}
        />
      ) : null}
      <Paper drawing={drawing} frame={{ x: 62, y: 162, width: 132, height: 52 }} ink="#4a2c12" size={34} />
      <Gloss d="M40 150C46 182 62 204 84 214L92 210C70 196 58 176 54 152Z" strength={0.55} />
    </>
  )
}
