/** Something that the person at the terminal can correct: the message alone is printed. */
export class CommandError extends Error {}
