import type { CircleCode } from "#contracts/code/circle.ts";
import { Problem } from "#contracts/kit/problem.ts";
import type { CircleMember } from "#contracts/test-registry/circle-members.ts";
import { findPlaceErrors } from "#contracts/test-registry/circle-places.ts";
import type { CircleInput } from "#contracts/test-registry/circles.ts";
import type { JsonRecord } from "#libraries/json/json-value.ts";
import type { ChangeContext, CodeContext, CodeEvent, Fail, ServedKind } from "../../../kit/code/code-kind.ts";
import { secretNameOf } from "../../../kit/code/keys.ts";
import { readObjects } from "../../../kit/code/read-objects.ts";
import { findCircleErrors } from "../../domain/circle-rules.ts";
import { type ListedMember, listMembersByCircle, replaceMembers } from "../../store/circle-members.ts";
import {
  type CircleRow,
  findCircle,
  insertCircle,
  readCircle,
  removeCircle,
  type StoredCircle,
  updateCircle,
} from "../../store/circles.ts";
import type { TestDatabase, TestTables } from "../../store/tables.ts";
import type { CircleReferences } from "../circle-references.ts";
import type { CircleVariables } from "../circle-variables.ts";
import { toCircleEvent } from "../circles.ts";
import { type KnownLocations, type ReadLocations, readPlaces, writePlaces } from "./locations.ts";

interface CodedCircle {
  input: CircleInput;
  /** Names of secrets, by variable. */
  secretNames: Record<string, string>;
}

/** In place of a secret that a check was not sent. */
const unsent = "?";

function toMember({ member }: ListedMember, { references }: CodeContext): JsonRecord[] {
  const { phase } = member;
  if (member.kind === "test") {
    const test = references.keyOf("test", member.testId);
    return test ? [{ test, phase, ...(member.effect ? { effect: member.effect } : {}) }] : [];
  }
  const api = references.keyOf("api", member.apiId);
  return api ? [{ api, ...(member.tag ? { tag: member.tag } : {}), include: member.include, phase }] : [];
}

function toInput(
  value: CircleCode,
  context: ChangeContext,
  known: KnownLocations | undefined,
  fail: Fail,
): CircleInput {
  const { references, environments } = context;
  const members = value.members.map((member, index): CircleMember => {
    if ("test" in member) {
      const testId = references.idOf("test", member.test);
      if (!testId) fail(`members[${index}].test`, `There is no test ${member.test}`);
      return {
        kind: "test",
        testId: testId ?? "",
        phase: member.phase,
        ...(member.effect ? { effect: member.effect } : {}),
      };
    }
    const apiId = references.idOf("api", member.api);
    if (!apiId) fail(`members[${index}].api`, `There is no API ${member.api}`);
    const { tag, include, phase } = member;
    return { kind: "selection", apiId: apiId ?? "", ...(tag ? { tag } : {}), include, phase };
  });
  const chosen: Record<string, string> = {};
  for (const [api, name] of Object.entries(value.environments)) {
    const apiId = references.idOf("api", api);
    if (!apiId) fail(`environments.${api}`, `There is no API ${api}`);
    else if (!environments[api]?.includes(name)) fail(`environments.${api}`, `This API has no environment ${name}`);
    else chosen[apiId] = name;
  }
  const { name, description, order, concurrency, stopOnFailure, cookies, onlyOwn } = value;
  const places = value.places ? readPlaces(value.places, known!, fail) : null;
  return {
    ...{
      name,
      description,
      order,
      concurrency,
      stopOnFailure,
      cookies,
      onlyOwn,
      members,
      environments: chosen,
      places,
    },
    variables: value.variables.map(({ name, value: given }) => {
      if (typeof given === "string") return { name, value: given, secret: false };
      if ("reference" in given) return { name, value: null, secret: true, reference: given.reference };
      return { name, value: context.secrets[given.secret] ?? null, secret: true };
    }),
  };
}

function toColumns(
  { name, description, order, concurrency, stopOnFailure, cookies, onlyOwn, places = null }: CircleInput,
  now: Date,
) {
  return {
    ...{ name, description, execution_order: order, concurrency, stop_on_failure: stopOnFailure },
    ...{ keeps_cookies: cookies ?? false, only_own: onlyOwn ?? false, places, updated_at: now },
  };
}

/** Circles of files. */
export function createCircleKind(parts: {
  db: TestDatabase;
  places: CircleReferences;
  variables: CircleVariables;
  readLocations: ReadLocations;
}): ServedKind<CodedCircle, TestTables> {
  const { db, places, variables, readLocations } = parts;

  function toStored(
    row: CircleRow,
    members: ListedMember[],
    key: string,
    names: Record<string, string>,
    { context, known }: { context: CodeContext; known: KnownLocations | undefined },
  ) {
    const secrets: Record<string, string | undefined> = {};
    const opened = variables.open(row).map(({ name, value, secret, reference }) => {
      if (!secret) return { name, value };
      if (reference) return { name, value: { reference } };
      const secretName = names[name] ?? secretNameOf(key, name);
      secrets[secretName] = value;
      return { name, value: { secret: secretName } };
    });
    const environments = Object.entries(row.environments).flatMap(([apiId, name]) => {
      const api = context.references.keyOf("api", apiId);
      return api ? [[api, name]] : [];
    });
    const value: JsonRecord = {
      ...{ name: row.name, description: row.description, order: row.execution_order, concurrency: row.concurrency },
      ...{ stopOnFailure: row.stop_on_failure, cookies: row.keeps_cookies, onlyOwn: row.only_own },
      ...(row.places ? { places: { ...writePlaces(row.places, known!) } } : {}),
      members: members.flatMap((member) => toMember(member, context)),
      environments: Object.fromEntries(environments),
      variables: opened,
    };
    return { id: row.id, name: row.name, value, secrets };
  }

  /** Secret variables that have a value, sent or stored. */
  function resolveSecrets(
    value: CircleCode,
    input: CircleInput,
    before: CircleRow | undefined,
    context: ChangeContext,
    fail: Fail,
  ) {
    const stored = new Set(
      before?.variables.flatMap(({ name, secret, reference }) => (secret && !reference ? [name] : [])),
    );
    const secretNames: Record<string, string> = {};
    value.variables.forEach(({ name, value: given }, index) => {
      if (typeof given === "string" || "reference" in given) return;
      secretNames[name] = given.secret;
      const variable = input.variables[index]!;
      if (variable.value !== null || stored.has(name)) return;
      context.missingSecrets.add(given.secret);
      if (context.isCheck) variable.value = unsent;
      else fail(`variables[${index}].value`, `Send the value of the secret ${given.secret}`);
    });
    return { secretNames, stored };
  }

  return {
    kind: "circle",
    ...{ table: "test_circles", idColumn: "id", keyText: "name", unrestored: ["name_key"] },
    sideTables: [{ table: "test_circle_members", column: "circle_id" }],

    async list(executor, query, context, secretNames) {
      const { organizationId } = context;
      const stored = await readObjects<StoredCircle>(executor, this, query, context);
      const rows = stored.map(readCircle);
      const owned = rows.map(({ id }) => ({ organizationId, testCircleId: id }));
      const members = await listMembersByCircle(executor, owned);
      const known = rows.some((row) => row.places) ? await readLocations(context) : undefined;
      return rows.map((row) =>
        toStored(
          row,
          members.get(row.id) ?? [],
          context.references.keyOf("circle", row.id) ?? "circle",
          secretNames.get(row.id) ?? {},
          { context, known },
        ),
      );
    },

    async resolve(changes, context, fail) {
      const { organizationId } = context;
      const placed = changes.some(({ value }) => (value as unknown as CircleCode).places);
      const known = placed ? await readLocations(context) : undefined;
      return await Promise.all(
        changes.map(async (change) => {
          const value = change.value as unknown as CircleCode;
          const report = fail(change);
          const input = toInput(value, context, known, report);
          for (const { path, message } of input.places ? findPlaceErrors(input.places) : []) {
            report(path === "locationIds" ? "places.from" : `places.${path}`, message);
          }
          const owner = { organizationId, testCircleId: change.id };
          const before = change.action === "change" ? await findCircle(db, owner) : undefined;
          const { secretNames, stored } = resolveSecrets(value, input, before, context, report);
          for (const { path, message } of findCircleErrors(input, stored)) report(path, message);
          return { change, input: { input, secretNames }, secretNames };
        }),
      );
    },

    async write(transaction, items, context) {
      const { organizationId, now } = context;
      const events: CodeEvent[] = [];
      for (const { change, input: coded } of items) {
        const { input } = coded;
        const owner = { organizationId, testCircleId: change.id };
        const before = change.action === "change" ? await findCircle(transaction, owner) : undefined;
        const members = await places
          .placeMembers(transaction, organizationId, input.members)
          .catch((error: unknown) => {
            throw atObject(error, change.index);
          });
        const row = {
          ...{ id: change.id, organization_id: organizationId, ...toColumns(input, now) },
          // Files have no single location, which belongs to an installation: applying them changes none.
          location_id: input.places ? null : (before?.location_id ?? null),
          environments: places.keepEnvironments(input.environments, members),
          variables: variables.seal(owner, input, before),
        };
        if (change.action === "create") await insertCircle(transaction, { ...row, version: 1, created_at: now });
        else if (!(await updateCircle(transaction, row, undefined)))
          throw new Problem("stale_version", `The circle ${change.key} has been deleted.`);
        await replaceMembers(transaction, owner, members);
        const type = change.action === "create" ? "circle.created" : "circle.updated";
        events.push(toCircleEvent(type, organizationId, row));
      }
      return events;
    },

    async remove(transaction, ids, { organizationId }) {
      const events: CodeEvent[] = [];
      for (const testCircleId of ids) {
        const row = await removeCircle(transaction, { organizationId, testCircleId }, undefined);
        if (row) events.push(toCircleEvent("circle.deleted", organizationId, row));
      }
      return events;
    },

    async restored(transaction, ids, { organizationId }) {
      const rows = await Promise.all(
        ids.map((testCircleId) => findCircle(transaction, { organizationId, testCircleId })),
      );
      return rows.flatMap((row) => (row ? [toCircleEvent("circle.updated", organizationId, row)] : []));
    },
  };
}

/** Errors of an input, at the fields of the object that it was made from. */
export function atObject(error: unknown, index: number): unknown {
  if (!(error instanceof Problem) || !error.extras.errors) return error;
  const errors = error.extras.errors.map(({ path, message }) => ({ path: `objects[${index}].value.${path}`, message }));
  return new Problem(error.code, error.detail, { ...error.extras, errors });
}
