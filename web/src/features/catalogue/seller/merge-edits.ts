export type ConflictChoice = 'mine' | 'theirs'

/** Somebody else changed it too. Where only one of us touched a field, that one's stands; where both did, `whose` decides. */
export function mergeEdits<Values extends object>(
  changed: (from: Values, to: Values) => (keyof Values)[],
  before: Values,
  mine: Values,
  theirs: Values,
  choice: ConflictChoice,
): Values {
  const moved = changed(before, theirs)
  const own = changed(before, mine).filter((field) => choice === 'mine' || !moved.includes(field))
  return { ...theirs, ...Object.fromEntries(own.map((field) => [field, mine[field]])) }
}
