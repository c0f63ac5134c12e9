import * as fc from "fast-check";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import type { OperationWithComponents } from "#contracts/api-registry/operations.ts";
import type { BrokenRule } from "../negative/broken-rule.ts";
import { listBrokenRules } from "../negative/broken-rules.ts";
import { makeOpenTest } from "../negative/open-test.ts";
import { checkRefusal } from "../negative/refusing-test.ts";
import type { PlannedCall } from "../plan/calls.ts";
import { toKey } from "../plan/known.ts";
import type { Draft } from "../plan/planned-tests.ts";
import { isSameCause, placeOf, tell, withPlaces } from "./blame.ts";
import { breakRule } from "./broken-request.ts";
import { assertKept } from "./echoes.ts";
import { listOptional } from "./full-call.ts";
import { applyChanges, type Change } from "./places.ts";
import { type OpenScene, toStep } from "./scene.ts";
import { hashSeed } from "./seeds.ts";
import { isAccepted } from "./session.ts";
import { dropNeedless, shrink } from "./shrinking.ts";
import { byValue, type Exploring, mostLeft, type Sighting, Trial } from "./trial.ts";
import { ValueSpace } from "./value-space.ts";
import { conformance, type Expectation, type Violation } from "./violations.ts";

const isRefusal = (status: number | null) => status === 400 || status === 422;

/** Explores what values one operation takes: the valid call, what breaks a rule each, boundaries, random ones. */
export class Values {
  readonly #described: OperationWithComponents;
  readonly #call: PlannedCall;
  readonly #space: ValueSpace;
  readonly #isCreation: boolean;
  /** Whether the valid call is accepted; undefined before it was sent. */
  #isAccepted: boolean | undefined;
  #lastStatus: number | null = null;
  /** What the valid call itself shows, by which no value can be found. */
  #usual: Violation[] = [];
  /** Of what it made, what could not be removed. */
  #left = 0;

  constructor(
    private readonly exploring: Exploring,
    private readonly scene: OpenScene,
    private readonly draft: Draft,
  ) {
    const { known, tests } = exploring.parts;
    this.#described = known.operations.get(toKey(draft.operation))!;
    this.#call = tests.calls.find(draft.operation)!;
    this.#space = new ValueSpace(this.#described, this.#call);
    this.#isCreation = scene.own?.creation === draft;
  }

  get #isOver(): boolean {
    return this.#left > mostLeft || this.exploring.session.isOver;
  }

  /** What can be found without another value. */
  async exploreUsual(): Promise<void> {
    if (this.#isOver) return;
    const sightings = await this.#try([]);
    this.#usual = sightings.map(({ violation }) => violation);
    for (const sighting of sightings) this.#report(sighting, true);
    if (this.#isCreation && isRefusal(this.#lastStatus)) await this.#learnNeeds();
    const open = makeOpenTest(this.#described, this.#call);
    if (open && !this.#isOver)
      await this.#tryInvalid({ ...this.draft.test, ...open, captures: this.draft.test.captures });
  }

  /** What a server needs though its document does not: with it, there is one to explore. */
  async #learnNeeds(): Promise<void> {
    const { operation } = this.draft;
    const optional = listOptional(this.#described, this.#call, this.exploring.seed);
    const accepts = async (changes: Change[]) => {
      await this.#try(changes);
      return isAccepted(this.#lastStatus);
    };
    if (optional.length === 0 || this.#isOver || !(await accepts(optional))) return;
    const needed = await dropNeedless(optional, async (fewer) => !this.#isOver && (await accepts(fewer)));
    const names = needed.map(({ place }) => `\`${place.name}\``).join(" and ");
    const trial = new Trial(this.exploring, this.scene, true);
    await this.#send(trial, toStep(this.draft, this.exploring.parts));
    const says = `Refused a request without ${names} although the document does not require it`;
    trial.see(
      {
        kind: "refusedValid",
        cause: `${this.scene.resource?.key} ${needed.map(({ place }) => place.key).join(", ")}`,
        says,
      },
      operation,
    );
    await trial.end();
    for (const sighting of trial.sightings) this.#report(sighting, true);
    const applied = applyChanges(this.#described, { test: this.draft.test, sent: this.draft.sent }, needed);
    Object.assign(this.draft, applied);
    const opening = this.scene.opening.find((step) => step.operation === operation);
    if (opening) opening.test = toStep(this.draft, this.exploring.parts).test;
    await this.#try([]);
  }

  /** One that does not exist, where its identifier can be made up. */
  async exploreUnknown(): Promise<void> {
    const { tests } = this.exploring.parts;
    const { resource } = this.scene;
    const { read } = resource?.operations ?? {};
    if (!resource || !read || this.#isOver || toKey(read) !== toKey(this.draft.operation)) return;
    const unknown = tests.findUnknown(resource, read);
    if (!unknown) return;
    const trial = new Trial(this.exploring, this.scene, false);
    await trial.send({
      ...toStep({ ...unknown, test: { ...unknown.test, assertions: [] } }, this.exploring.parts),
      generated: undefined,
    });
    for (const sighting of trial.sightings) {
      this.#usual.push(sighting.violation);
      this.#report(sighting, true);
    }
  }

  async exploreRules(): Promise<void> {
    for (const rule of listBrokenRules(this.#described, this.#call)) {
      if (this.#isOver) return;
      const broken = breakRule(this.draft.test, rule);
      if (broken) await this.#tryInvalid({ ...broken, checks: checkRefusal(this.#described) }, rule);
    }
  }

  async exploreBoundaries(): Promise<void> {
    for (const change of this.#space.boundaries()) {
      if (this.#isOver) return;
      const { place, value } = change;
      await this.#judge([change], async (fails) => {
        const shrinker = this.#space.shrinkerOf(change);
        if (!shrinker) return [change];
        const simplest = await shrink(shrinker, { value, context: undefined }, async (other) => {
          const simpler = { ...change, value: other };
          return this.#space.isOther(simpler) && this.#space.allows(place, other) && (await fails([simpler]));
        });
        return [{ ...change, value: simplest }];
      });
    }
  }

  /** @param rounds random requests */
  async exploreRandom(rounds: number, from: number): Promise<void> {
    const arbitrary = this.#space.arbitrary();
    if (!arbitrary || this.#isAccepted !== true) return;
    const seed = hashSeed(this.exploring.seed, `${toKey(this.draft.operation)} ${from}`);
    const random = new fc.Random(xoroshiro128plus(seed));
    for (let round = 0; round < rounds && !this.#isOver; round += 1) {
      const made = arbitrary.generate(random, 2 + Math.floor(Math.log10(round + 1)));
      const changes = this.#space.toChanges(made.value);
      if (changes.length === 0) continue;
      await this.#judge(changes, async (fails) => {
        const simplest = await shrink(arbitrary, { value: made.value, context: made.context }, async (value) => {
          const simpler = this.#space.toChanges(value);
          return simpler.length > 0 && (await fails(simpler));
        });
        return await dropNeedless(this.#space.toChanges(simplest), fails);
      });
    }
  }

  /** Sends the valid call with these values, and reports what is new, with the simplest values that lead to it. */
  async #judge(
    changes: readonly Change[],
    simplify: (fails: (changes: Change[]) => Promise<boolean>) => Promise<Change[]>,
  ): Promise<void> {
    for (const sighting of await this.#try(changes)) {
      const { kind, says } = sighting.violation;
      if (this.#usual.some((one) => one.kind === kind && one.says === says)) continue;
      if (this.exploring.findings.seeAgain(sighting.violation, sighting.operation)) continue;
      const again = async (others: readonly Change[]) =>
        (await this.#try(others)).find(
          ({ violation }) => violation.kind === kind && isSameCause(violation, sighting.violation),
        );
      const simplest = await simplify(async (others) => !this.#isOver && (await again(others)) !== undefined);
      const last = await again(simplest);
      if (byValue.includes(kind) || kind === "valueLost")
        for (const { place } of simplest) this.#space.culprits.add(place.key);
      this.#report(tell(last ?? sighting, last ? simplest : changes), last !== undefined);
    }
  }

  #report(sighting: Sighting, isRepeated: boolean): void {
    const { findings } = this.exploring;
    if (!findings.seeAgain(sighting.violation, sighting.operation)) findings.add({ ...sighting, isRepeated });
  }

  async #try(changes: readonly Change[]): Promise<Sighting[]> {
    if (!this.#space.allowsAll(this.draft, changes)) return [];
    const { operation } = this.draft;
    const trial = new Trial(this.exploring, this.scene, this.#isCreation);
    const { test, sent } = applyChanges(this.#described, { test: this.draft.test, sent: this.draft.sent }, changes);
    const { statusCode } = await this.#send(trial, toStep({ ...this.draft, test }, this.exploring.parts));
    this.#lastStatus = statusCode;
    if (changes.length === 0) this.#isAccepted = isAccepted(statusCode);
    const mayRefuse = changes.length === 0 || changes.some(({ place }) => place.mayRefuse);
    if (this.#isAccepted && !mayRefuse && isRefusal(statusCode)) {
      // That its document has no such status is seen where a request is refused for a reason.
      trial.sightings.length = 0;
      trial.see({ kind: "refusedValid", cause: toKey(operation), says: "Refused" }, operation);
    }
    if (isAccepted(statusCode) && changes.length > 0) await this.#readBack(trial, sent);
    if (!(await trial.end())) this.#left += 1;
    const places = changes.map(({ place }) => place.key).join(", ");
    const area = this.scene.resource?.key;
    return trial.sightings.map((sighting) => ({
      ...sighting,
      violation: withPlaces(sighting.violation, places, area),
    }));
  }

  async #send(trial: Trial, step: ReturnType<typeof toStep>) {
    const { own } = this.scene;
    return this.#isCreation && own
      ? await trial.create({ ...step, effect: "makes" }, own.removal)
      : await trial.send(step);
  }

  /** Whether what was sent comes back. */
  async #readBack(trial: Trial, sent: unknown): Promise<void> {
    const { known, tests } = this.exploring.parts;
    const { resource, own } = this.scene;
    const read = own && resource?.operations.read;
    const draft = read && tests.call(read, { own: resource });
    const isOfOwn = this.#isCreation || known.resourcesInPath(this.draft.operation).at(-1)?.key === resource?.key;
    if (!resource || !draft || !isOfOwn || this.draft.operation.method === "get") return;
    const echoes = assertKept(this.#described, sent, known.operations.get(toKey(read))!);
    if (echoes.length === 0) return;
    const { method, path } = this.draft.operation;
    const expects: Expectation = ({ source, property = "", message }) => {
      const reason = message.replace(/\.$/, "");
      return source === "statusCode"
        ? { kind: "notReadable", cause: toKey(read), says: `Could not read it after ${method.toUpperCase()} ${path}` }
        : { kind: "valueLost", cause: `${resource.key} ${property}`, says: `Did not keep what was sent: ${reason}` };
    };
    const { effect } = toStep(draft, this.exploring.parts);
    const test = { ...draft.test, assertions: [...draft.test.assertions, ...echoes], checks: conformance };
    await trial.send({ test, operation: read, effect, expects });
  }

  /** A request that has to be refused. */
  async #tryInvalid(test: Draft["test"], rule?: BrokenRule): Promise<void> {
    const { operation } = this.draft;
    const trial = new Trial(this.exploring, this.scene, this.#isCreation);
    const place = rule ? placeOf(rule) : "credentials";
    const called = await this.#send(trial, { ...toStep({ ...this.draft, test }, this.exploring.parts), test });
    const refused = called.verifications.find(({ source }) => source === "negative_data_rejection");
    if (refused?.outcome === "failed" && isAccepted(called.statusCode)) {
      const says = refused.message.replace(/ \([A-Z]+ [^()]*\)\.?$/, "").replace(/\.$/, "");
      // A parameter of several operations is read by the same code, and a resource's body, too.
      const isOfBody = rule?.in === "body" || rule?.in === "field";
      const where = isOfBody ? (this.scene.resource?.key ?? toKey(operation)) : "";
      const what = rule ? `${where} ${place} ${rule.keyword}` : toKey(operation);
      // What else is wrong with the response follows from it.
      trial.sightings.length = 0;
      trial.see({ kind: rule ? "acceptedInvalid" : "acceptedWithoutCredentials", cause: what, says }, operation);
    }
    if (!(await trial.end())) this.#left += 1;
    for (const { violation, ...rest } of trial.sightings) {
      const named = withPlaces(violation, place, this.scene.resource?.key);
      const says = named.kind === "serverError" && rule ? `${named.says} where ${rule.name}` : named.says;
      this.#report({ ...rest, violation: { ...named, says } }, true);
    }
  }
}
