import type { MissedChange, NoticesState, TestNotices } from "#contracts/test-executioner/notices.ts";
import type { Assertion } from "#contracts/test-registry/assertions.ts";
import type { Json } from "#libraries/json/json.ts";
import { joinJson } from "#libraries/json/json-texts.ts";
import { writeJson } from "#libraries/json/write-json.ts";
import { shorten } from "#libraries/text/shorten.ts";
import { comparisonWords, sourceWords } from "~/features/test-editor/assertion-words";
import { formatCount } from "~/ui/count/format-count";
import { plural } from "~/ui/count/plural";

/** Why nothing is known of a test. */
export const unknownWords: Record<Exclude<NoticesState, "found">, string> = {
  never_passed: "The changes this test would catch are listed once it has passed.",
  not_stored:
    "The response of its last passed execution is no longer stored. Run the test to see what it would notice.",
  body_cut: "Only part of its last passed response is stored, so the changes it would catch are unknown.",
  not_judged: "None of its assertions and checks can be evaluated against the stored response.",
  too_costly: "Evaluating its assertions and checks takes too long to test changes.",
};

const maxNamed = 3;

/** "Notices 9 of 11 changes; would miss an empty list, another currency and 2 more" */
export function noticesSentence({ changes, noticed, missedChanges }: TestNotices): string {
  if (missedChanges.length === 0) return `Catches all ${plural(changes, "change")}`;
  const named = missedChanges.slice(0, maxNamed).map(({ phrase }) => phrase);
  const others = missedChanges.length - named.length;
  const missed = others > 0 ? `${named.join(", ")} and ${formatCount(others)} more` : named.join(", ");
  return `Catches ${formatCount(noticed)} of ${plural(changes, "change")}; would miss: ${missed}`;
}

export interface MissGroup {
  /** Of its first miss. */
  key: string;
  phrases: string[];
  assertion: Assertion | undefined;
}

/** Misses that one assertion would notice, together. */
export function groupMisses(misses: readonly MissedChange[]): MissGroup[] {
  const groups = new Map<string, MissGroup>();
  for (const { key, phrase, assertion } of misses) {
    const name = assertion ? JSON.stringify(assertion) : key;
    const known = groups.get(name);
    if (known) known.phrases.push(phrase);
    else groups.set(name, { key, phrases: [phrase], assertion });
  }
  return [...groups.values()];
}

const maxTargetLength = 160;

/** An assertion as the test editor names it: `JSONPath $.price has the type "number"`. */
export function assertionTitle({ source, property, comparison, target, targetJson }: Assertion): string {
  if (source === "schema" && target === undefined) return "Body matches the documented schema";
  const value = target === undefined ? undefined : writeJson(joinJson(target, targetJson) as Json);
  const displayed = value && shorten(value, maxTargetLength);
  return [sourceWords[source].label, property, comparisonWords[comparison].label, displayed].filter(Boolean).join(" ");
}

/** "83 %" of the changes that were tried. */
export function noticedShare({ changes, noticed }: { changes: number; noticed: number }): string {
  return changes === 0 ? "–" : `${Math.floor((100 * noticed) / changes)}`;
}
