/** The name of an emoji's file: its code points, without the mark that asks for a coloured emoji. */
export const emojiName = (emoji: string) =>
  [...emoji]
    .map((char) => char.codePointAt(0)?.toString(16))
    .filter((code) => code !== 'fe0f')
    .join('-')
