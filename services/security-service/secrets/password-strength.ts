import { type MatchExtended, ZxcvbnFactory } from "@zxcvbn-ts/core";
import { adjacencyGraphs, dictionary } from "@zxcvbn-ts/language-common";

/**
 * Guesses that a password must withstand. Online, ten tries per quarter of an hour make them take 28,000 years; against
 * a stolen database, argon2id makes them cost about a GPU-month per account.
 */
const fewestGuesses = 1e10;

/** Number of characters judged: 200 would take 200 ms, these at most 5 ms with few substitutions tried. */
const judgedCharacters = 48;
const maxSubstitutions = 10;

/** Long enough for the rules, and among the first guesses. The library's list has hardly any of this length. */
const famousPhrases = [
  "correct horse battery staple",
  "the quick brown fox jumps over the lazy dog",
  "to be or not to be that is the question",
  "may the force be with you",
  "lorem ipsum dolor sit amet",
  "once upon a time in a land far away",
  "in the beginning was the word",
  "we hold these truths to be self evident",
  "four score and seven years ago",
  "this is my password",
  "i love you very much",
  "let me in please",
];
const ownWords = ["api assurance", "assurance portal", "assurance", "portal", "api"];

const separators = [" ", "", "-", "_", "."];
const writtenAnyWay = (phrase: string) => separators.map((separator) => phrase.replaceAll(" ", separator));

let factory: ZxcvbnFactory | undefined;

/** Ranking 60,000 words takes 70 ms and 5 MB, so it happens when the first password is chosen. */
function requireFactory(): ZxcvbnFactory {
  factory ??= new ZxcvbnFactory({
    dictionary: { ...dictionary, famous: famousPhrases.flatMap(writtenAnyWay) },
    graphs: adjacencyGraphs,
    maxLength: judgedCharacters,
    l33tMaxSubstitutions: maxSubstitutions,
  });
  return factory;
}

/** The forms in which names occur in passwords: whole, without separators, and each part. */
function contextWords(personal: string[]): string[] {
  const parts = personal.flatMap((text) => [
    ...writtenAnyWay(text),
    ...text.split(/[^\p{L}\p{N}]+/u).filter((part) => part.length >= 3),
  ]);
  return [...parts, ...ownWords.flatMap(writtenAnyWay)];
}

function getReason(sequence: MatchExtended[]): string {
  const covers = (patterns: string[]) => sequence.some(({ pattern }) => patterns.includes(pattern));
  const isFrom = (name: string) => sequence.some(({ dictionaryName }) => dictionaryName === name);
  if (isFrom("userInputs")) return "It contains a name that anyone who knows the account would try.";
  if (covers(["repeat"])) return "It repeats one piece.";
  if (covers(["sequence", "spatial"])) return "It follows the alphabet, the digits or the keyboard.";
  if (isFrom("famous") || isFrom("passwords-common")) return "It is built on passwords that are tried first.";
  return "It would be guessed soon.";
}

/**
 * Judges a new password by NIST SP 800-63B-4, section 3.1.1.2: common passwords, repetitions, sequences, keyboard walks
 * and context-specific words are refused. The contract limits the length.
 * @param personal known data of its owner: username, name, email address
 * @returns why it is refused and how to improve it, or undefined when it is good
 */
export function findWeakness(password: string, personal: string[]): string | undefined {
  const known = personal.map((text) => text.normalize("NFKC").trim().toLowerCase()).filter((text) => text.length >= 3);
  const { guesses, sequence } = requireFactory().check(password.normalize("NFKC"), contextWords(known));
  if (guesses >= fewestGuesses) return undefined;
  return `Choose a password that is harder to guess. ${getReason(sequence)} Four unrelated words are enough.`;
}
