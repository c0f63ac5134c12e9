import type { Arbitrary } from "fast-check";
import * as fc from "fast-check";
import type { OperationWithComponents } from "#contracts/api-registry/operations.ts";
import type { SampleSource } from "#libraries/openapi/sample/sampler.ts";
import { ValueChecker } from "#libraries/openapi/sample/value-checker.ts";
import { preferredContent } from "#libraries/openapi/sample-body.ts";
import { flattenSchema } from "#libraries/openapi/schema-parts.ts";
import { fillSent, inlineGenerated } from "../negative/sent-body.ts";
import type { PlannedCall } from "../plan/calls.ts";
import type { Draft } from "../plan/planned-tests.ts";
import { arbitraryOf } from "./arbitraries.ts";
import { fits } from "./blame.ts";
import { type Boundary, listBoundaries } from "./boundaries.ts";
import { applyChanges, type Change, listPlaces, type Place } from "./places.ts";
import { shrinkerOf } from "./shrinking.ts";

/** The valid values that the places of one operation's request can have. */
export class ValueSpace {
  /** Keys of places whose values are known to be the cause of something: they stay as usual. */
  readonly culprits = new Set<string>();
  readonly #places: Place[];
  readonly #source: SampleSource;

  constructor(
    private readonly described: OperationWithComponents,
    private readonly call: PlannedCall,
  ) {
    this.#places = listPlaces(described, call);
    this.#source = { find: (reference) => described.components[reference] };
  }

  /** Each boundary of each place, and its absence. */
  *boundaries(): Generator<Change> {
    for (const place of this.#places) {
      const absent: Boundary[] = isLeftOut(place) ? [{ value: undefined }] : [];
      for (const { value, mayRefuse } of [...absent, ...listBoundaries(place.schema, this.#source)]) {
        const change = { place: mayRefuse ? { ...place, mayRefuse } : place, value };
        if (this.isOther(change) && fits(place, value)) yield change;
      }
    }
  }

  /** Undefined for a value that can't be made simpler, or would lose its format. */
  shrinkerOf({ place, value }: Change): Arbitrary<unknown> | undefined {
    const shrinker = shrinkerOf(value);
    const isFormatted = flattenSchema(place.schema, this.#source)?.format !== undefined;
    return !isFormatted && shrinker?.canShrinkWithoutContext(value) ? shrinker : undefined;
  }

  isOther({ place, value }: Change): boolean {
    return JSON.stringify(value) !== JSON.stringify(place.usual);
  }

  allows({ schema }: Place, value: unknown): boolean {
    return new ValueChecker("request", this.#source).isValid(value, schema);
  }

  /** Whether a body with these values is valid as a whole: it may need one of several members. */
  allowsAll(draft: Pick<Draft, "test" | "sent">, changes: readonly Change[]): boolean {
    const { requestBody } = this.described.operation;
    const schema = requestBody && preferredContent(requestBody.content)?.schema;
    if (schema === undefined || draft.sent === undefined) return true;
    const judge = (sent: unknown) => fillSent(inlineGenerated(sent, this.call.generated), schema, this.#source);
    const { sent } = applyChanges(this.described, draft, changes);
    return sent === draft.sent || judge(sent) !== undefined || judge(draft.sent) === undefined;
  }

  /** Those of generated values that are valid, and not at a place that is known to be a cause. */
  toChanges(values: readonly (Change | undefined)[]): Change[] {
    return values.filter((change): change is Change => {
      if (!change || this.culprits.has(change.place.key)) return false;
      const { place, value } = change;
      return value === undefined || (fits(place, value) && this.allows(place, value));
    });
  }

  /** Values of all places, most of them as usual; undefined for a request without places. */
  arbitrary(): Arbitrary<(Change | undefined)[]> | undefined {
    const usual = fc.constant(undefined);
    const arbitraries = this.#places.flatMap((place): Arbitrary<Change | undefined>[] => {
      const values = arbitraryOf(place.schema, this.#source)?.map((value): Change => ({ place, value }));
      const absent = isLeftOut(place) ? fc.constant<Change>({ place, value: undefined }) : undefined;
      const others = [values, absent].flatMap((arbitrary) => (arbitrary ? [{ weight: 1, arbitrary }] : []));
      // The usual value is the simplest one.
      return others.length === 0
        ? []
        : [fc.oneof({ withCrossShrink: true }, { weight: 2, arbitrary: usual }, ...others)];
    });
    return arbitraries.length === 0 ? undefined : fc.tuple(...arbitraries);
  }
}

/** Whether leaving it out is another request. */
const isLeftOut = ({ mayBeAbsent, usual }: Place) => mayBeAbsent && usual !== undefined;
