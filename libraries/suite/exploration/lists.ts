import type { OperationParameter, OperationWithComponents } from "#contracts/api-registry/operations.ts";
import type { Producer } from "#contracts/api-registry/resources.ts";
import type { FindingKind } from "#contracts/test-executioner/explorations.ts";
import type { Assertion } from "#contracts/test-registry/assertions.ts";
import { isRecord, type JsonRecord } from "#libraries/json/json-value.ts";
import { getSchemaType } from "#libraries/openapi/sample/schema-type.ts";
import { flattenSchema } from "#libraries/openapi/schema-parts.ts";
import { toPlain } from "../names.ts";
import { toKey } from "../plan/known.ts";
import { findPaging, type Paging } from "../plan/lists.ts";
import type { Draft } from "../plan/planned-tests.ts";
import type { Called } from "./exploring.ts";
import { listOptional } from "./full-call.ts";
import { applyChanges, type Change, describeChange, listPlaces, type Place } from "./places.ts";
import { type OpenScene, toStep } from "./scene.ts";
import { isAccepted } from "./session.ts";
import { type Exploring, Trial, withoutOthers } from "./trial.ts";

/** Items that are there for a list to have pages. */
const items = 3;

interface ListParts {
  described: OperationWithComponents;
  draft: Draft;
  producer: Producer;
  places: Place[];
}

/** Explores the pages and the filters of a resource's list, with some items that it makes. */
export async function exploreLists(exploring: Exploring, scene: OpenScene): Promise<void> {
  const { list } = scene.resource?.operations ?? {};
  const draft = list && scene.drafts.find(({ operation }) => toKey(operation) === toKey(list));
  const producer = list && scene.resource!.producers.find((one) => one.many && toKey(one.operation) === toKey(list));
  if (!list || !draft || !producer) return;
  const described = exploring.parts.known.operations.get(toKey(list))!;
  const places = listPlaces(described, exploring.parts.tests.calls.find(list)!);
  const parts: ListParts = { described, draft, producer, places };
  const trial = new Trial(exploring, scene, false);
  const paging = findPaging(described);
  // What is wrong with the items that are there needs no others to show it.
  if (paging && !exploring.session.isOver) await sendWhole(exploring, trial, parts, paging.size);
  await makeItems(exploring, scene, trial);
  if (paging && !exploring.session.isOver) await explorePages(exploring, trial, parts, paging);
  if (!exploring.session.isOver) await exploreFilters(exploring, trial, parts);
  await trial.end();
}

/** Makes items that differ in what can be listed: each of an enumeration's or boolean's values in turn. */
async function makeItems(exploring: Exploring, scene: OpenScene, trial: Trial): Promise<void> {
  const { own, resource } = scene;
  if (!own || !resource) return;
  const { operation, test, sent, generated } = own.creation;
  const described = exploring.parts.known.operations.get(toKey(operation))!;
  const call = exploring.parts.tests.calls.find(operation)!;
  const places = listPlaces(described, call);
  const optional = listOptional(described, call, exploring.seed);
  for (let number = 0; number < items && !exploring.session.isOver; number += 1) {
    const changes = places.flatMap((place): Change[] => {
      const values = listChoices(flattenSchema(place.schema, { find: (name) => described.components[name] }));
      return values.length < 2 ? [] : [{ place, value: values[number % values.length] }];
    });
    // One of them has everything that one can have.
    const varied = applyChanges(described, { test, sent }, number === 1 ? [...optional, ...changes] : changes);
    const captures = test.captures.map((one) => ({ ...one, name: nameItem(one.name, number) }));
    const removal = renamed(own.removal, resource.variable, number);
    const step = { ...toStep({ ...own.creation, test: { ...varied.test, captures } }, exploring.parts), generated };
    // What its client names is captured under that name.
    const isNamed = captures.length === 0;
    await trial.create({ ...step, effect: "makes" }, isNamed ? own.removal : removal);
    if (isNamed) return;
  }
}

const nameItem = (variable: string, number: number) => `${variable}Item${number + 1}`;

function renamed<Step extends { test: Draft["test"] }>(step: Step, variable: string, number: number): Step {
  const text = JSON.stringify(step.test).replaceAll(`{{${variable}}}`, `{{${nameItem(variable, number)}}}`);
  return { ...step, test: JSON.parse(text) };
}

function listChoices(schema: JsonRecord | undefined): unknown[] {
  if (!schema) return [];
  if (Array.isArray(schema.enum)) return schema.enum.filter((value) => value !== null).slice(0, items);
  return getSchemaType(schema) === "boolean" ? [true, false] : [];
}

/** The list with these values of its parameters, as a step that expects something of it. */
async function send(
  { described, draft }: ListParts,
  { trial, exploring }: { trial: Trial; exploring: Exploring },
  changes: Change[],
  asked: { assertions: Assertion[]; kind: FindingKind; says(message: string): string; cause: string },
): Promise<Called> {
  const { test } = applyChanges(described, { test: draft.test, sent: undefined }, changes);
  const step = toStep({ ...draft, test }, exploring.parts);
  const { kind, cause } = asked;
  const before = trial.sightings.length;
  const called = await trial.send({
    ...{ ...step, generated: undefined },
    test: { ...step.test, captures: [], assertions: [...draft.test.assertions, ...asked.assertions] },
    expects: ({ source, message }) =>
      source === "statusCode" ? undefined : { kind, cause, says: asked.says(message.replace(/\.$/, "")) },
  });
  for (const sighting of trial.sightings.slice(before)) {
    const { violation, operation } = sighting;
    if (exploring.findings.seeAgain(violation, operation)) continue;
    exploring.findings.add({ ...withoutOthers(sighting), isRepeated: await trial.repeat(violation) });
  }
  return called;
}

/** As many items as one page takes; undefined where its size is no parameter of the call. */
async function sendWhole(
  exploring: Exploring,
  trial: Trial,
  parts: ListParts,
  size: Paging["size"],
): Promise<Called | undefined> {
  const place = find(parts.places, size);
  const asked = { kind: "pages", cause: `${toKey(parts.draft.operation)} ${size.name}`, says: () => "" } as const;
  const changes = place && [{ place, value: largest(place, parts) }];
  return changes && (await send(parts, { trial, exploring }, changes, { ...asked, assertions: [] }));
}

/** The items of each page have to be those of the whole list, in its order. */
async function explorePages(
  exploring: Exploring,
  trial: Trial,
  parts: ListParts,
  { size, place, isOffset, first }: Paging,
): Promise<void> {
  const given = { trial, exploring };
  const { operation } = parts.draft;
  const sizePlace = find(parts.places, size);
  const pagePlace = place && find(parts.places, place);
  if (!sizePlace) return;
  const cause = `${toKey(operation)} ${size.name}`;
  const asSize = (value: number) => ({ place: sizePlace, value });
  const itemsPath = toItems(parts.producer.path);
  const limited: Assertion = { source: "jsonPath", property: itemsPath, comparison: "lengthLessThan", target: 3 };
  const isWhole = itemsPath !== undefined && itemsPath !== "$[*]";
  const ask = { kind: "pages" as const, cause };
  const whole = await sendWhole(exploring, trial, parts, size);
  const ids = whole ? readIds(whole, parts.producer) : [];
  if (ids.length < 2) return;
  const page = await send(parts, given, [asSize(2)], {
    ...ask,
    assertions: isWhole ? [limited] : [],
    says: (message) => `Returned more items than \`${size.name}: 2\` allows: ${message}`,
  });
  const onPage = readIds(page, parts.producer);
  if (!isAccepted(page.statusCode) || onPage.length > 2 || !pagePlace) return;
  for (let number = 1; number < Math.min(ids.length, 6); number += 1) {
    if (exploring.session.isOver) return;
    const at = isOffset ? number : first + number;
    const [property] = [parts.producer.path.replace("[*]", "[0]")];
    const changes = [asSize(1), { place: pagePlace, value: at }];
    const assertions: Assertion[] = [{ source: "jsonPath", property, comparison: "equals", target: ids[number] }];
    await send(parts, given, changes, {
      ...{ kind: "pages", assertions, cause: `${toKey(operation)} ${pagePlace.name}` },
      says: (message) =>
        `Pages of one item differ from the whole list: with ${changes.map(describeChange).join(" and ")} ${message}`,
    });
  }
  // The last page is the one that is most often cut.
  const number = Math.max(2, Math.ceil(ids.length / 2));
  if (number >= ids.length) return;
  const at = isOffset ? number : first + 1;
  const assertions: Assertion[] = [
    {
      source: "jsonPath",
      property: parts.producer.path,
      comparison: "contains",
      target: ids.at(Math.min(ids.length, number * 2) - 1),
    },
  ];
  const changes = [asSize(number), { place: pagePlace, value: at }];
  await send(parts, given, changes, {
    ...{ kind: "pages", assertions, cause: `${toKey(operation)} ${pagePlace.name}` },
    says: (message) =>
      `The last page is missing an item, with ${changes.map(describeChange).join(" and ")}: ${message}`,
  });
}

const find = (places: readonly Place[], { name }: OperationParameter) =>
  places.find(({ parameter }) => parameter?.name === name);

function largest({ schema }: Place, { described }: ListParts): number {
  const { maximum } = flattenSchema(schema, { find: (name) => described.components[name] }) ?? {};
  return typeof maximum === "number" ? Math.min(maximum, 100) : 100;
}

/** `$.items` of `$.items[*].id` */
function toItems(path: string): string | undefined {
  const end = path.indexOf("[*]");
  return end < 0 ? undefined : path.slice(0, end);
}

function readBody({ attempts, statusCode }: Called): unknown {
  if (!isAccepted(statusCode)) return undefined;
  try {
    return JSON.parse(attempts.at(-1)?.response?.body ?? "");
  } catch {
    return undefined;
  }
}

const steps = (path: string) =>
  [...path.matchAll(/\.([\w$-]+)|\['([^']+)'\]/g)].map(([, plain, quoted]) => plain ?? quoted!);

function readItems(called: Called, { path }: Producer): unknown[] {
  let found = readBody(called);
  for (const step of steps(toItems(path) ?? "$")) found = isRecord(found) ? found[step] : undefined;
  return Array.isArray(found) ? found : [];
}

function readIds(called: Called, producer: Producer): unknown[] {
  const names = steps(producer.path.slice(producer.path.indexOf("[*]")));
  return readItems(called, producer).map((item) =>
    names.reduce<unknown>((value, name) => (isRecord(value) ? value[name] : undefined), item),
  );
}

/** A filter's parameter with the member of the items that it is about. */
interface Filter {
  place: Place;
  member: string;
}

/**
 * Parameters with the name of a member of the items: what one lets through has the value that was asked for, and what
 * two let through has both.
 */
async function exploreFilters(exploring: Exploring, trial: Trial, parts: ListParts): Promise<void> {
  const given = { trial, exploring };
  const all = await send(parts, given, [], { kind: "filter", cause: "", assertions: [], says: () => "" });
  const listed = readItems(all, parts.producer).filter(isRecord);
  const filters = parts.places.flatMap((place): Filter[] => {
    const member = Object.keys(listed[0] ?? {}).find((one) => toPlain(one) === toPlain(place.name));
    return member === undefined || place.parameter?.in !== "query" ? [] : [{ place, member }];
  });
  for (const filter of filters) {
    const values = new Set(listed.map((item) => item[filter.member]).filter(isScalar));
    for (const value of [...values].slice(0, 2)) await filterBy([filter], { [filter.member]: value });
  }
  for (const [index, one] of filters.entries()) {
    for (const other of filters.slice(index + 1)) {
      // Each alone lets through more than both.
      const item = listed.find((each) =>
        [one, other].every(
          ({ member }) =>
            isScalar(each[member]) && listed.some((rest) => isOnlyOther(each, rest, member, [one, other])),
        ),
      );
      if (item) await filterBy([one, other], item);
    }
  }

  async function filterBy(by: Filter[], item: JsonRecord): Promise<void> {
    const itemsPath = toItems(parts.producer.path);
    if (exploring.session.isOver || itemsPath === undefined) return;
    const changes = by.map(({ place, member }): Change => ({ place, value: item[member] }));
    const compare = (sign: string) =>
      by.map(({ member }) => `@[${JSON.stringify(member)}] ${sign} ${JSON.stringify(item[member])}`);
    await send(parts, given, changes, {
      ...{ kind: "filter", cause: `${toKey(parts.draft.operation)} ${by.map(({ member }) => member).join(" ")}` },
      assertions: [
        { source: "jsonPath", property: `${itemsPath}[?${compare("!=").join(" || ")}]`, comparison: "notExists" },
        { source: "jsonPath", property: `${itemsPath}[?${compare("==").join(" && ")}]`, comparison: "exists" },
      ],
      says: () =>
        `Returned other items than those, or not all of them, with ${changes.map(describeChange).join(" and ")}`,
    });
  }
}

const isScalar = (value: unknown) => ["string", "number", "boolean"].includes(typeof value);

/** Whether two items differ in this member, and in none of the other filters. */
function isOnlyOther(one: JsonRecord, other: JsonRecord, member: string, filters: readonly Filter[]): boolean {
  return filters.every((filter) => (one[filter.member] === other[filter.member]) !== (filter.member === member));
}
