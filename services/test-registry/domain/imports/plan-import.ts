import type { KnownEnvironment } from "#contracts/api-registry/imports.ts";
import type { ImportedRequest } from "#contracts/test-registry/imports.ts";
import type { TestInput } from "#contracts/test-registry/tests.ts";
import type { CollectedBody, CollectedRequest, Collection, Loss } from "#libraries/collections/collection.ts";
import type { FormattedReading } from "#libraries/collections/read/read-files.ts";
import { listPlaceholders } from "#libraries/template/placeholders.ts";
import { hideInBody } from "./body-secrets.ts";
import { CredentialShelf } from "./credential-shelf.ts";
import { type BaseUrls, type Found, findOperation, type KnownOperation, Operations } from "./find-operation.ts";
import { compareSource, createToKey, ofKind, toCollectionKey, toHash } from "./known-sources.ts";
import { KnownValues } from "./known-values.ts";
import type { ImportChoices, ImportPlan, KnownSource, PlannedTest } from "./plan.ts";
import { planCircles } from "./planned-circles.ts";
import { type PlannedEnvironments, planEnvironments } from "./planned-environments.ts";
import { planVariables, SecretVariables } from "./planned-variables.ts";
import { rowKinds, takeSecrets } from "./secrets.ts";
import { toName } from "./to-name.ts";
import { type ParseTest, toTest } from "./to-test.ts";

/** The API that the requests are matched to. */
export interface TargetApi {
  operations: readonly KnownOperation[];
  /** The one in use first. */
  baseUrls: BaseUrls;
  /** Tests that it has. */
  existing: readonly { id: string; method: string; path: string; name: string }[];
  /** Variables that it has. */
  variables: Readonly<Record<string, string>>;
  environments: readonly KnownEnvironment[];
  /** What came from files before, with the key of their collection. */
  known: readonly (KnownSource & { collection: string })[];
  secretNames: ReadonlySet<string>;
}

const key = ({ method, path, name }: { method: string; path: string; name: string }) =>
  `${method.toLowerCase()} ${path} ${name}`;

/** Decides what an import stores: pure, so that preview and confirmation say and do the same. */
export function planImport(
  reading: FormattedReading,
  api: TargetApi,
  choices: ImportChoices,
  parseTest: ParseTest,
): ImportPlan {
  return new Planner(reading, api, choices, parseTest).plan();
}

class Planner {
  readonly #collection: Collection;
  readonly #losses: Loss[];
  readonly #values: KnownValues;
  readonly #operations: Operations;
  readonly #captured: ReadonlySet<string>;
  readonly #shelf: CredentialShelf;
  readonly #secrets: SecretVariables;
  readonly #environments: PlannedEnvironments;
  readonly #baseUrls: BaseUrls;
  /** Without what differs between environments. */
  readonly #sharedValues: KnownValues;
  readonly #names: Set<string>;
  readonly #requests: ImportedRequest[] = [];
  readonly #tests: PlannedTest[] = [];
  readonly #known: readonly KnownSource[];
  readonly #knownTests: ReadonlyMap<string, KnownSource>;
  readonly #staying: { id: string; testId: string }[] = [];
  readonly #keyBy = new Map<string, string>();
  readonly #toKey = createToKey();
  /** Positions of credentials that new and changed tests send. */
  readonly #wanted = new Set<number>();

  constructor(
    readonly reading: FormattedReading,
    readonly api: TargetApi,
    readonly choices: ImportChoices,
    readonly parseTest: ParseTest,
  ) {
    this.#collection = reading.collection;
    this.#values = new KnownValues(reading.collection, choices.environment);
    this.#operations = new Operations(api.operations);
    this.#captured = new Set(reading.collection.requests.flatMap(({ captures }) => captures.map(({ name }) => name)));
    const collection = toCollectionKey(reading.format, reading.collection.name);
    this.#known = api.known.filter((one) => one.collection === collection);
    this.#knownTests = ofKind(this.#known, "test");
    this.#shelf = new CredentialShelf(reading.collection.name, ofKind(this.#known, "credential"));
    this.#environments = planEnvironments({
      ...{ collection: reading.collection, operations: this.#operations, baseUrls: api.baseUrls, choices },
      ...{ environments: api.environments, known: ofKind(this.#known, "environment") },
    });
    const { environments, differing, losses } = this.#environments;
    this.#losses = [...reading.losses, ...losses];
    this.#baseUrls = [...new Set([...api.baseUrls, ...environments.map(({ baseUrl }) => baseUrl)])];
    this.#sharedValues = new KnownValues(reading.collection, choices.environment, differing);
    const { secret, plain } = this.#values.listNames();
    this.#secrets = new SecretVariables(new Set([...this.#captured, ...plain]));
    for (const name of secret) this.#secrets.name(name, this.#values.get(name)!.value);
    this.#names = new Set(api.existing.map(key));
  }

  plan(): ImportPlan {
    const taken = new Set<string>();
    for (const request of this.#collection.requests) this.#planRequest(request, taken);
    const { environments: apiEnvironments, chosen, chosenNames: ofEnvironment } = this.#environments;
    const there = { variables: this.api.variables, secretNames: this.api.secretNames, ofEnvironment };
    const { variables, secretVariables } = planVariables(this.#tests, this.#values, there, (variable, reason) =>
      this.#losses.push({ file: "", line: 0, of: this.#collection.name, what: `variable ${variable}`, reason }),
    );
    const secretNames = [...secretVariables.map((one) => one.name), ...Object.keys(chosen?.secrets ?? {})];
    const circles = this.choices.circles
      ? planCircles(this.#collection, {
          ...{ planned: this.#requests, keyBy: this.#keyBy, known: ofKind(this.#known, "circle") },
          ...{ leaveOut: this.choices.leaveOut, secrets: this.#secrets, environment: chosen?.name },
          ofApi: new Set([...this.api.secretNames, ...secretNames]),
        })
      : [];
    const { name, environments } = this.#collection;
    this.#loseSecrets();
    const credentials = this.#shelf.credentials.filter((_, position) => this.#wanted.has(position));
    const toPosition = (position: number) => credentials.indexOf(this.#shelf.credentials[position]!);
    const tests = this.#tests.map((one) => ({ ...one, credentials: one.credentials.map(toPosition) }));
    return {
      ...{ format: this.reading.format, name, environments: environments.map((one) => one.name) },
      ...{ requests: this.#requests, tests, known: this.#staying, circles, variables, secretVariables },
      ...{ apiEnvironments, environment: chosen?.name },
      ...{ credentials, losses: this.#losses },
    };
  }

  #lose({ file, line, name }: CollectedRequest, what: string, reason: string): void {
    this.#losses.push({ file, line, of: name, what, reason });
  }

  #planRequest(request: CollectedRequest, taken: Set<string>): void {
    const { operations, values } = { operations: this.#operations, values: this.#values };
    const found = findOperation(request, { operations, baseUrls: this.#baseUrls, values });
    const { operation } = found;
    this.#keyBy.set(request.id, this.#toKey(...request.folders, request.name));
    const item: ImportedRequest = {
      ...{ id: request.id, file: request.file, line: request.line, name: request.name, folders: request.folders },
      ...{
        method: request.method,
        url: request.url || (request.operationId ?? ""),
        baseUrl: this.choices.toApi ? null : (found.baseUrl ?? null),
      },
      operation: operation
        ? { method: operation.method, path: operation.path, operationId: operation.operationId }
        : null,
      ...{ state: "new", test: null },
    };
    this.#requests.push(item);
    if (this.choices.leaveOut.includes(request.id)) item.state = "left_out";
    else if (!operation && (!this.choices.unmatched || request.method === "")) item.state = "unmatched";
    else {
      const test = this.#makeTest(request, found, item, taken);
      item.test = test ?? null;
      if (!test) item.state = "unusable";
    }
  }

  #makeTest(request: CollectedRequest, found: Found, item: ImportedRequest, taken: Set<string>): TestInput | undefined {
    const location = { method: found.operation?.method ?? request.method, path: found.path };
    const name = this.#uniqueName(request.name, location, taken);
    const fixed = { values: this.#values, captured: this.#captured };
    const brought = {
      values: this.#sharedValues,
      captured: new Set([...this.#captured, ...this.#environments.differing]),
    };
    const secrets = takeSecrets(request, this.#isSentToEnvironment(found) ? brought : fixed, fixed);
    const hidden = hideInBody(request.body, this.#secrets.name);
    const { test, losses } = toTest(request, {
      found,
      secrets,
      body: toBody(hidden),
      name,
      toApi: this.choices.toApi,
      parseTest: this.parseTest,
    });
    for (const { what, reason } of losses) this.#lose(request, what, reason);
    if (!test) return undefined;
    const source = this.#keyBy.get(request.id)!;
    const known = this.#knownTests.get(source);
    if (!known && this.#names.has(key(test))) {
      item.state = "exists";
      return test;
    }
    const stored = secrets.credentials.flatMap((credential) => {
      const host = this.#hostOf(found);
      const position = host === undefined ? undefined : this.#shelf.add(credential, host);
      if (position !== undefined) return [position];
      const reason =
        host === undefined
          ? "Its host is not known, so there is no credential to store. Store one for the API's host."
          : "Only 100 credentials are stored by one import. Import fewer files.";
      this.#lose(request, `secret of ${credential.kind}`, reason);
      return [];
    });
    this.#loseDiffering(request, stored.length > 0);
    const isBound = stored.length > 0 && this.#isSentTo(found);
    const hash = toHash([test, isBound ? stored.map((position) => this.#shelf.credentials[position]!.name) : []]);
    const state = compareSource(known, hash);
    item.state = state;
    if (known && (state === "unchanged" || state === "edited")) {
      this.#staying.push({ id: request.id, testId: known.objectId });
      return test;
    }
    for (const position of stored) this.#wanted.add(position);
    for (const missing of new Set(secrets.missing))
      this.#lose(request, missing, "A secret without a value in the files. Store a credential for the host.");
    if (stored.length > 0 && !isBound) {
      const reason = `It is stored for ${this.#hostOf(found)} alone: a secret is not sent to another host than the file sends it to.`;
      this.#lose(request, "credential", reason);
    }
    const from = { key: source, hash, knownId: known?.objectId };
    this.#tests.push({ id: request.id, test, credentials: isBound ? stored : [], ...from });
    return test;
  }

  /** A credential holds the secret of one environment. */
  #loseDiffering(request: CollectedRequest, isStored: boolean): void {
    const { differing, chosen } = this.#environments;
    const { authorization } = request;
    const isOfOne =
      rowKinds.has(authorization.kind) ||
      !listPlaceholders(JSON.stringify(authorization)).some((name) => differing.has(name));
    if (!isStored || isOfOne) return;
    const reason = `Only that of ${chosen?.name} is stored. Store credentials for the hosts of the other environments.`;
    this.#lose(request, `secret of ${authorization.kind}`, reason);
  }

  /** The host that the secrets of a request are for. */
  #hostOf({ origin }: Found): string | undefined {
    const url = origin ?? this.api.baseUrls[0];
    return url !== undefined && URL.canParse(url) ? new URL(url).host : undefined;
  }

  #isSentTo(found: Found): boolean {
    if (found.origin === undefined || !this.choices.toApi) return true;
    const [inUse] = this.api.baseUrls;
    return inUse !== undefined && URL.canParse(inUse) && new URL(inUse).host === this.#hostOf(found);
  }

  /** Whether the environment that it is run in says where it is sent. */
  #isSentToEnvironment({ origin, baseUrl }: Found): boolean {
    const { chosen } = this.#environments;
    if (!chosen || baseUrl !== undefined) return false;
    return origin === undefined || origin === new URL(chosen.baseUrl).origin;
  }

  /** Two requests of one operation with the same name are two tests. */
  #uniqueName(wanted: string, location: { method: string; path: string }, taken: Set<string>): string {
    const plain = toName(wanted);
    for (let count = 1; ; count += 1) {
      const name = count === 1 ? plain : `${plain} (${count})`;
      if (taken.has(key({ ...location, name }))) continue;
      taken.add(key({ ...location, name }));
      return name;
    }
  }

  /** A secret that was stored before is never replaced by that of a file: another one may be in use. */
  #loseSecrets(): void {
    const known = ofKind(this.#known, "credential");
    for (const { name, secret } of this.#shelf.credentials) {
      const before = known.get(name);
      if (!before || before.secret === secret) continue;
      const reason =
        "The files have another secret than before. The stored one stays; replace it among the credentials.";
      this.#losses.push({ file: "", line: 0, of: name, what: "secret", reason });
    }
  }
}

function toBody(body: CollectedBody): TestInput["request"]["body"] {
  if (body.kind !== "multipart") return body;
  return { kind: "multipart", parts: body.parts.map((part) => ({ ...part, file: undefined })) };
}
