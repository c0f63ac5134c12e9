/** A runner of a pipeline, or an agent, is another machine. */
export function isOfThisMachine(origin: string): boolean {
  return /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(origin).hostname);
}
