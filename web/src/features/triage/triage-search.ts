import { z } from 'zod'
import { field } from '../../scope/fields.ts'

/** `not`: suspects that the viewer has ruled out, in this view only; nothing is stored. */
export const triageFields = {
  not: field(
    z
      .string()
      .max(2_000)
      .transform((text) => text.split(',').filter(Boolean)),
    [],
  ),
}
