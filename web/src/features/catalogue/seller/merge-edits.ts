export type ConflictChoice = 'mine' | 'theirs'

/**
 * Merges the edits of two sellers. A field that only one of them changed takes that value; for the others `whose`
 * decides.
 */
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
