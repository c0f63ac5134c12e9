import type { ImportedRequest } from "#contracts/test-registry/imports.ts";
import type { TestInput } from "#contracts/test-registry/tests.ts";
import type { CollectedBody, CollectedRequest, Collection, Loss } from "#libraries/collections/collection.ts";
import { toVariableName } from "#libraries/collections/read/placeholders.ts";
import type { FormattedReading } from "#libraries/collections/read/read-files.ts";
import { listPlaceholders } from "#libraries/template/placeholders.ts";
import { hideInBody } from "./body-secrets.ts";
import { CredentialShelf } from "./credential-shelf.ts";
import { type BaseUrls, type Found, findOperation, type KnownOperation, Operations } from "./find-operation.ts";
import { compareSource, createToKey, ofKind, toCollectionKey, toHash } from "./known-sources.ts";
import { KnownValues } from "./known-values.ts";
import type { ImportChoices, ImportPlan, KnownSource, PlannedCircle, PlannedTest } from "./plan.ts";
import { takeSecrets } from "./secrets.ts";
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
  /** What came from files before, with the key of their collection. */
  known: readonly (KnownSource & { collection: string })[];
  secretNames: ReadonlySet<string>;
}

const maxVariableCharacters = 10_000;
/** Secret ones, of a circle or an API. */
const maxVariables = 200;

/** Names and secrets of variables that bodies of tests refer to. */
class SecretVariables {
  readonly #valueBy = new Map<string, string>();

  /** @param reserved names that mean something else */
  constructor(readonly reserved: ReadonlySet<string>) {}

  /** The same name for the same value. */
  readonly name = (wanted: string, value: string): string => {
    const base = toVariableName(wanted);
    for (let count = 1; ; count += 1) {
      const name = count === 1 ? base : `${base}_${count}`;
      if (this.reserved.has(name)) continue;
      const known = this.#valueBy.get(name);
      if (known === undefined) this.#valueBy.set(name, value);
      if (known === undefined || known === value) return name;
    }
  };

  get = (name: string) => this.#valueBy.get(name);
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
    this.#losses = [...reading.losses];
    this.#values = new KnownValues(reading.collection, choices.environment);
    this.#operations = new Operations(api.operations);
    this.#captured = new Set(reading.collection.requests.flatMap(({ captures }) => captures.map(({ name }) => name)));
    const collection = toCollectionKey(reading.format, reading.collection.name);
    this.#known = api.known.filter((one) => one.collection === collection);
    this.#knownTests = ofKind(this.#known, "test");
    this.#shelf = new CredentialShelf(reading.collection.name, ofKind(this.#known, "credential"));
    const { secret, plain } = this.#values.listNames();
    this.#secrets = new SecretVariables(new Set([...this.#captured, ...plain]));
    for (const name of secret) this.#secrets.name(name, this.#values.get(name)!.value);
    this.#names = new Set(api.existing.map(key));
  }

  plan(): ImportPlan {
    const taken = new Set<string>();
    for (const request of this.#collection.requests) this.#planRequest(request, taken);
    const { variables, secretVariables } = this.#planVariables();
    const ofApi = new Set([...this.api.secretNames, ...secretVariables.map(({ name }) => name)]);
    const circles = this.choices.circles ? this.#planCircles(ofApi) : [];
    const { name, environments } = this.#collection;
    this.#loseEnvironments();
    this.#loseSecrets();
    const credentials = this.#shelf.credentials.filter((_, position) => this.#wanted.has(position));
    const toPosition = (position: number) => credentials.indexOf(this.#shelf.credentials[position]!);
    const tests = this.#tests.map((one) => ({ ...one, credentials: one.credentials.map(toPosition) }));
    return {
      ...{ format: this.reading.format, name, environments: environments.map((one) => one.name) },
      ...{ requests: this.#requests, tests, known: this.#staying, circles, variables, secretVariables },
      ...{ credentials, losses: this.#losses },
    };
  }

  #lose({ file, line, name }: CollectedRequest, what: string, reason: string): void {
    this.#losses.push({ file, line, of: name, what, reason });
  }

  #planRequest(request: CollectedRequest, taken: Set<string>): void {
    const { operations, values } = { operations: this.#operations, values: this.#values };
    const found = findOperation(request, { operations, baseUrls: this.api.baseUrls, values });
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
    const secrets = takeSecrets(request, { values: this.#values, captured: this.#captured });
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

  /** The variables that tests use; what the API has stays. */
  #planVariables(): Pick<ImportPlan, "variables" | "secretVariables"> {
    const used = new Set(this.#tests.flatMap(({ test }) => listPlaceholders(JSON.stringify(test))));
    const variables: [string, string][] = [];
    const secretVariables: ImportPlan["secretVariables"] = [];
    for (const name of used) {
      const known = this.#values.get(name);
      if (!known || !/^[A-Za-z_][\w-]{0,99}$/.test(name)) continue;
      const before = this.api.variables[name];
      const lose = (reason: string) =>
        this.#losses.push({ file: "", line: 0, of: this.#collection.name, what: `variable ${name}`, reason });
      if (known.value.length > maxVariableCharacters) lose("Its value has more than 10,000 characters.");
      else if (this.api.secretNames.has(name)) lose("The API has a secret variable of this name, which stays.");
      else if (known.secret && before !== undefined) lose("The API has a plain variable of this name, which stays.");
      else if (known.secret && secretVariables.length < maxVariables)
        secretVariables.push({ name, value: known.value });
      else if (known.secret) lose("An API has at most 200 secret variables.");
      else if (before === undefined) variables.push([name, known.value]);
      else if (before !== known.value) lose("The API has a variable of this name with another value, which stays.");
    }
    return { variables: Object.fromEntries(variables.slice(0, 1_000)), secretVariables };
  }

  /** @param ofApi secrets that the API has, so that circles don't need them */
  #planCircles(ofApi: ReadonlySet<string>): PlannedCircle[] {
    const { sequences, requests, name, description } = this.#collection;
    const everything = requests.map(({ id }) => id);
    const [first] = requests;
    const isCovered = sequences.some((one) => one.requests.length === everything.length);
    const whole = { file: first?.file ?? "", line: 0, name, description, requests: everything, stopOnFailure: false };
    const wanted = everything.length > 1 && !isCovered ? [whole, ...sequences] : sequences;
    const testBy = new Map(this.#requests.flatMap(({ id, test }) => (test ? [[id, test]] : [])));
    const isUsable = new Set(testBy.keys());
    const known = ofKind(this.#known, "circle");
    const toKey = createToKey();
    return wanted.flatMap((sequence, index) => {
      const key = sequence === whole ? "*" : toKey(sequence.name);
      const id = `circle ${index + 1}`;
      const members = sequence.requests.filter((one) => isUsable.has(one));
      if (members.length === 0 || this.choices.leaveOut.includes(id)) return [];
      const used = new Set(members.flatMap((one) => listPlaceholders(JSON.stringify(testBy.get(one) ?? ""))));
      const variables = [...used].flatMap((one) => {
        const value = this.#secrets.get(one);
        return value === undefined || ofApi.has(one) ? [] : [{ name: one, value, secret: true }];
      });
      if (variables.length > maxVariables) variables.length = maxVariables;
      const { stopOnFailure } = sequence;
      const described = sequence.description.trim().slice(0, 4_000);
      const circle = { name: toName(sequence.name), description: described, stopOnFailure };
      const keys = members.map((one) => this.#keyBy.get(one));
      const hash = toHash([circle, keys, variables.map((variable) => variable.name)]);
      const before = known.get(key);
      const from = { key, hash, knownId: before?.objectId, state: compareSource(before, hash) };
      return [{ id, ...circle, requests: members, variables, ...from }];
    });
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

  #loseEnvironments(): void {
    const { environments } = this.#collection;
    const chosen = environments.find(({ name }) => name === this.choices.environment) ?? environments[0];
    for (const { name } of environments)
      if (name !== chosen?.name)
        this.#losses.push({
          file: "",
          line: 0,
          of: name,
          what: "environment",
          reason: "Only the values of one environment are taken. Add others on the API's page of environments.",
        });
  }
}

function toBody(body: CollectedBody): TestInput["request"]["body"] {
  if (body.kind !== "multipart") return body;
  return { kind: "multipart", parts: body.parts.map((part) => ({ ...part, file: undefined })) };
}
