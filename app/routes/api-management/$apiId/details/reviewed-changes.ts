import type { z } from "zod";
import type {
  BaseUrlChange,
  compareDocument,
  LifeChange,
  OperationChange,
} from "#contracts/api-registry/comparisons.ts";
import type { AlertRule } from "#contracts/test-analyzer/alert-rules.ts";
import { shorten } from "#libraries/text/shorten.ts";
import { describeAlerting, listBrokenTests } from "./alerting-rules";

type Comparison = z.output<NonNullable<typeof compareDocument.response>>;

/** The first of many, and how many more there are. */
export interface Cut<Item> {
  items: Item[];
  moreCount: number;
}

/** What the page of a review says, at most some 30,000 characters: a shared schema may change thousands of operations. */
export interface ReviewedChanges {
  counts: {
    added: number;
    changed: number;
    removed: number;
    unchanged: number;
    breaking: number;
    /** Tests of what breaks callers; undefined if unknown. */
    touched?: number;
    /** Listed tests that break. */
    broken: number;
  };
  testsAreAway: boolean;
  removed: Cut<DisplayedChange>;
  changed: Cut<DisplayedChange>;
  added: Cut<DisplayedChange>;
  lives: Cut<DisplayedLife>;
  baseUrls: Cut<BaseUrlChange>;
  /** Which alert rules apply, in a sentence. */
  alerting?: string;
}

export interface DisplayedChange extends Pick<OperationChange, "kind" | "method" | "path" | "pathBefore" | "breaking"> {
  sentences: Cut<string>;
  tests?: Cut<DisplayedTest>;
}

export interface DisplayedTest {
  id: string;
  name: string;
  effects?: Cut<{ part: "assertion" | "capture" | "request"; position?: number; sentence: string }>;
  circles: Cut<NamedCircle>;
}

export interface DisplayedLife extends Pick<LifeChange, "resource"> {
  sentences: string[];
  /** Undefined if they are unknown. */
  circles?: Cut<NamedCircle>;
}

type NamedCircle = NonNullable<LifeChange["circles"]>[number];

const maxItems = 100;
/** Of the JSON text of one list. */
const maxCharacters = 7_000;
const maxSentences = 10;
const maxTests = 5;
const maxEffects = 5;
const maxCircles = 5;
const maxText = 300;

/**
 * A comparison with what fits a page, the breaking changes first; the rest is counted.
 * @param rules undefined if there is nothing to alert of, or they are unavailable
 */
export function cutReview(comparison: Comparison, apiId: string, rules?: readonly AlertRule[]): ReviewedChanges {
  const { added, changed, removed, unchangedCount, lives, baseUrls } = comparison;
  const all = [...added, ...changed, ...removed];
  const breaking = [...changed.filter((change) => change.breaking), ...removed];
  const isKnown = breaking.every(({ tests }) => tests !== undefined);
  const cutChanges = (changes: readonly OperationChange[]) => {
    const inOrder = [...changes].sort((one, other) => Number(other.breaking) - Number(one.breaking));
    return cutToLength(inOrder, toDisplayed);
  };
  const foundLives = cutToLength(lives?.items ?? [], toDisplayedLife);
  return {
    counts: {
      ...{ added: added.length, changed: changed.length, removed: removed.length, unchanged: unchangedCount },
      breaking: breaking.length,
      ...(isKnown ? { touched: breaking.reduce((sum, { tests }) => sum + (tests?.total ?? 0), 0) } : {}),
      broken: listBrokenTests(breaking).length,
    },
    testsAreAway: all.some(({ tests }) => tests === undefined),
    ...{ removed: cutChanges(removed), changed: cutChanges(changed), added: cutChanges(added) },
    lives: { ...foundLives, moreCount: foundLives.moreCount + (lives?.moreCount ?? 0) },
    baseUrls: cutToLength(baseUrls, toDisplayedBaseUrl),
    ...(rules ? { alerting: describeAlerting(listBrokenTests(all), apiId, rules) } : {}),
  };
}

/** The first ones whose JSON text is short enough together, at least one. */
function cutToLength<Item, Displayed>(items: readonly Item[], display: (item: Item) => Displayed): Cut<Displayed> {
  const displayed: Displayed[] = [];
  let characters = 0;
  for (const item of items.slice(0, maxItems)) {
    const one = display(item);
    characters += JSON.stringify(one).length;
    if (characters > maxCharacters && displayed.length > 0) break;
    displayed.push(one);
  }
  return { items: displayed, moreCount: items.length - displayed.length };
}

function toDisplayed(change: OperationChange): DisplayedChange {
  const { kind, method, path, pathBefore, breaking, changes, moreCount, tests } = change;
  const sentences = cut(changes, maxSentences, ({ sentence }) => shorten(sentence, maxText));
  return {
    ...{ kind, method: shorten(method, maxText), path: shorten(path, maxText), breaking },
    ...(pathBefore === undefined ? {} : { pathBefore: shorten(pathBefore, maxText) }),
    sentences: { ...sentences, moreCount: sentences.moreCount + moreCount },
    ...(tests ? { tests: cutTests(tests) } : {}),
  };
}

function cutTests({ total, items }: NonNullable<OperationChange["tests"]>): Cut<DisplayedTest> {
  const listed = items.slice(0, maxTests).map(({ id, name, effects, circles = [] }) => ({
    ...{ id, name: shorten(name, maxText) },
    ...(effects
      ? { effects: cut(effects, maxEffects, (one) => ({ ...one, sentence: shorten(one.sentence, maxText) })) }
      : {}),
    circles: cutCircles(circles),
  }));
  return { items: listed, moreCount: total - listed.length };
}

function toDisplayedLife({ resource, steps, circles }: LifeChange): DisplayedLife {
  return {
    resource,
    sentences: steps.map(({ sentence }) => shorten(sentence, maxText)),
    ...(circles ? { circles: cutCircles(circles) } : {}),
  };
}

function toDisplayedBaseUrl({ environment, before, after, sent }: BaseUrlChange): BaseUrlChange {
  return {
    ...{ environment, before: shorten(before, maxText), after: shorten(after, maxText) },
    sent: { before: shorten(sent.before, maxText), after: shorten(sent.after, maxText) },
  };
}

const cutCircles = (circles: readonly NamedCircle[]) =>
  cut(circles, maxCircles, (circle) => ({ ...circle, name: shorten(circle.name, maxText) }));

function cut<Item, Displayed>(items: readonly Item[], max: number, display: (item: Item) => Displayed): Cut<Displayed> {
  return { items: items.slice(0, max).map(display), moreCount: Math.max(items.length - max, 0) };
}
