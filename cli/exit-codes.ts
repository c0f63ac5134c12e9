/** What a pipeline learns from the end of a command. */
export const exitCodes = {
  passed: 0,
  /** A test failed: the API does not do what it promises. */
  failed: 1,
  /** Nothing failed, but something could not be run or judged: the API or the portal was not reachable, for example. */
  notJudged: 2,
  /** The command can't be carried out as it was written. */
  usage: 3,
  /** Credentials are missing, or were refused. */
  credentials: 4,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** Ends the command with a sentence for its user. */
export class CommandError extends Error {
  constructor(
    readonly code: ExitCode,
    message: string,
  ) {
    super(message);
  }
}
