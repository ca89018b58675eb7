import { useEffect, useState } from 'react'
import { editButtonId } from '@/features/catalogue/seller/catalogue-table'

type Row = { _id: string }

/**
 * The row of the list that is being edited or deleted, and what happens afterwards. `EditTarget` is what the edit
 * dialog opens with, if that is not always a row.
 */
export function useRowDialogs<R extends Row, EditTarget = R>(
  rows: R[] | undefined,
  refetch: () => Promise<unknown>,
) {
  const [editing, setEditing] = useState<EditTarget | null>(null)
  const [deleting, setDeleting] = useState<R | null>(null)
  const [flashing, flash] = useFlashedRow()

  const close = (stale: boolean) => {
    setEditing(null)
    setDeleting(null)
    if (stale) void refetch()
  }
  const saved = ({ _id }: Row) => {
    setEditing(null)
    flash(_id)
  }
  const deleted = () => {
    const at = rows?.findIndex(({ _id }) => _id === deleting?._id) ?? -1
    const next = rows?.[at + 1] ?? rows?.[at - 1]
    setDeleting(null)
    // The dialog and the row must be removed first.
    setTimeout(() => document.getElementById(next ? editButtonId(next) : 'main')?.focus())
  }
  return { editing, setEditing, deleting, setDeleting, flashing, close, saved, deleted }
}

const FLASH_MS = 1600

/** The row that was just changed, highlighted for a short time. */
function useFlashedRow() {
  const [id, setId] = useState<string | null>(null)
  useEffect(() => {
    if (!id) return undefined
    const timer = setTimeout(() => setId(null), FLASH_MS)
    return () => clearTimeout(timer)
  }, [id])
  return [id, setId] as const
}
