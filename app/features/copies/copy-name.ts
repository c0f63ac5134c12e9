import { shortenBefore } from "#libraries/text/shorten.ts";

const ending = " (copy)";
/** Of tests and circles. */
const maxName = 300;

export const copyName = (name: string) => shortenBefore(name, ending, maxName);

/** The end of the sentence that reports the copy; empty where its name has all of the original's. */
export const shortenedWords = (name: string) =>
  name.length + ending.length > maxName ? ` Its name was shortened to ${maxName} characters.` : "";
