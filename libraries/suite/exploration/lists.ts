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
import { applyChanges, type Change, describeChange, listPlaces, type Place } from "./places.ts";
import { type OpenScene, toStep } from "./scene.ts";
import { isAccepted } from "./session.ts";
import { type Exploring, Trial } from "./trial.ts";

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
  await makeItems(exploring, scene, trial);
  const paging = findPaging(described);
  if (paging && !exploring.session.isOver) await explorePages(exploring, trial, parts, paging);
  for (const place of places) if (!exploring.session.isOver) await exploreFilter(trial, parts, place, exploring);
  await trial.end();
  for (const sighting of trial.sightings) {
    if (!exploring.findings.seeAgain(sighting.violation, sighting.operation)) {
      exploring.findings.add({ ...sighting, isRepeated: false });
    }
  }
}

/** Makes items that differ in what can be listed: each of an enumeration's or boolean's values in turn. */
async function makeItems(exploring: Exploring, scene: OpenScene, trial: Trial): Promise<void> {
  const { own, resource } = scene;
  if (!own || !resource) return;
  const { operation, test, sent, generated } = own.creation;
  const described = exploring.parts.known.operations.get(toKey(operation))!;
  const places = listPlaces(described, exploring.parts.tests.calls.find(operation)!);
  for (let number = 0; number < items && !exploring.session.isOver; number += 1) {
    const changes = places.flatMap((place): Change[] => {
      const values = listChoices(flattenSchema(place.schema, { find: (name) => described.components[name] }));
      return values.length < 2 ? [] : [{ place, value: values[number % values.length] }];
    });
    const varied = applyChanges(described, { test, sent }, changes);
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
  return await trial.send({
    ...{ ...step, generated: undefined },
    test: { ...step.test, captures: [], assertions: [...draft.test.assertions, ...asked.assertions] },
    expects: ({ source, message }) =>
      source === "statusCode" ? undefined : { kind, cause, says: asked.says(message.replace(/\.$/, "")) },
  });
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
  const whole = await send(parts, given, [asSize(largest(sizePlace, parts))], {
    ...{ ...ask, assertions: [], says: () => "" },
  });
  const ids = readIds(whole, parts.producer);
  if (ids.length < 2) return;
  const page = await send(parts, given, [asSize(2)], {
    ...ask,
    assertions: isWhole ? [limited] : [],
    says: (message) => `Has more items on a page than \`${size.name}: 2\` asks for: ${message}`,
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
        `The pages of one item each are not the list: with ${changes.map(describeChange).join(" and ")} ${message}`,
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
      `Its last page lacks an item of the list, with ${changes.map(describeChange).join(" and ")}: ${message}`,
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

/** A parameter with the name of a member of the items: what it lets through has the value that was asked for. */
async function exploreFilter(trial: Trial, parts: ListParts, place: Place, exploring: Exploring): Promise<void> {
  const { parameter, name } = place;
  if (parameter?.in !== "query") return;
  const given = { trial, exploring };
  const all = await send(parts, given, [], { kind: "filter", cause: "", assertions: [], says: () => "" });
  const itemsPath = toItems(parts.producer.path);
  const listed = readItems(all, parts.producer).filter(isRecord);
  const member = Object.keys(listed[0] ?? {}).find((one) => toPlain(one) === toPlain(name));
  if (member === undefined || itemsPath === undefined) return;
  const values = [...new Set(listed.map((item) => item[member]))].filter(
    (value) => typeof value === "string" || typeof value === "number" || typeof value === "boolean",
  );
  for (const value of values.slice(0, 2)) {
    if (exploring.session.isOver) return;
    const other = `${itemsPath}[?@[${JSON.stringify(member)}] != ${JSON.stringify(value)}]`;
    const own = `${itemsPath}[?@[${JSON.stringify(member)}] == ${JSON.stringify(value)}]`;
    const change = { place, value };
    await send(parts, given, [change], {
      ...{ kind: "filter", cause: `${toKey(parts.draft.operation)} ${name}` },
      assertions: [
        { source: "jsonPath", property: other, comparison: "notExists" },
        { source: "jsonPath", property: own, comparison: "exists" },
      ],
      says: () => `Does not list those, and only those, with ${describeChange(change)}`,
    });
  }
}
