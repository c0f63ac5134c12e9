import type { OperationKey } from "#contracts/api-registry/resources.ts";
import { isSafe } from "#libraries/openapi/safe-methods.ts";
import { toWords } from "../names.ts";

const reading = new Set([
  ...["search", "query", "find", "filter", "lookup", "count", "validate", "preview", "estimate", "calculate", "check"],
  ...["compare", "render", "parse", "format", "evaluate", "simulate"],
]);
const ending = /^(log-?out|sign-?out|revoke|invalidate|end-?session)/i;
const changing = new Set([
  ...["create", "delete", "remove", "reset", "drop", "purge", "flush", "populate", "shutdown", "restart", "reboot"],
  ...["kill", "wipe", "truncate", "unsubscribe"],
]);
const acting = new Set([
  ...["reset", "change", "verify", "revoke", "sign", "log", "forgot", "forget", "send", "resend", "request", "delete"],
  ...["unlink", "update", "set", "refresh", "confirm", "accept", "reject", "cancel", "enable", "disable", "remove"],
]);
const acts = /^(login|signin|authenticate|verify|refresh|confirm)$/;
const removing = new Set(["delete", "deletion", "remove", "removal", "purge", "erase", "destroy", "clear"]);

const lastWord = ({ path }: OperationKey) =>
  path
    .split(/[?#]/)[0]!
    .split("/")
    .findLast((part) => part !== "" && !part.includes("{")) ?? "";

/** Whether a request ends its own session: `POST /sign-out`, `DELETE /sessions`; not `POST /revoke-other-sessions`. */
export function endsSession(operation: OperationKey): boolean {
  const word = lastWord(operation);
  if (isSafe(operation.method) || /other/i.test(word)) return false;
  return ending.test(word) || (operation.method === "delete" && /session/i.test(word));
}

/** Whether a POST only reads, by the last segment of its path: `/books/search`. */
export function readsByPost(operation: OperationKey): boolean {
  const [first = ""] = toWords(lastWord(operation));
  return operation.method === "post" && (reading.has(first) || reading.has(toWords(lastWord(operation)).at(-1) ?? ""));
}

/** Whether a POST does something rather than make it, by the last segment of its path: `/reset-password`. */
export function isAction({ method, path }: OperationKey): boolean {
  const words = toWords(lastWord({ method, path }));
  return acting.has(words.length > 1 ? words[0]! : "") || ending.test(words.join("-")) || acts.test(words.join(""));
}

/** Whether a POST removes something, by the last segment of its path: `/tests/deletion`. */
export function removesByPost({ method, path }: OperationKey): boolean {
  return method === "post" && toWords(lastWord({ method, path })).some((word) => removing.has(word));
}

/** Whether a GET changes something all the same, by its path or its summary: a session ends, a database is reset. */
export function changesByGet({ method, path, summary = "" }: OperationKey & { summary?: string }): boolean {
  const segments = path.split(/[/?#]/).filter((part) => !part.includes("{"));
  const firstWords = [...segments, summary].map((text) => toWords(text)[0] ?? "");
  const isChanging = firstWords.some((word) => changing.has(word) || changing.has(word.replace(/s$/, "")));
  return isSafe(method) && (ending.test(lastWord({ method, path })) || isChanging);
}
