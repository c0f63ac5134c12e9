import type { OperationWithComponents } from "#contracts/api-registry/operations.ts";
import type { Consumer, OperationKey, Producer, Resource } from "#contracts/api-registry/resources.ts";
import type { FindVariable } from "../suggestion/needed-value.ts";
import { spell } from "./words.ts";

/** What a plan is made from. */
export interface PlanInput {
  /** The operations to plan for, in document order. */
  wanted: readonly OperationKey[];
  /** These, and those that their resources and what they need have; see `listMissing`. */
  operations: readonly OperationWithComponents[];
  resources: readonly Resource[];
  consumers: readonly Consumer[];
  /** Whether tests send the credentials of their host though the document names no scheme. */
  sendsHostCredentials?: boolean | undefined;
  /** Operations that the document is known not to have. */
  undocumented?: readonly OperationKey[] | undefined;
  /** Of security schemes, a credential beside the one that tests inherit: probably that of another account. */
  otherCredentials?: readonly OtherCredential[] | undefined;
}

export interface OtherCredential {
  schemeName: string;
  credentialId: string;
  /** Of the credential. */
  name: string;
}

export const toKey = ({ method, path }: OperationKey) => `${method} ${path}`;

/** The parts of a document, by key. */
export class Known {
  readonly operations: ReadonlyMap<string, OperationWithComponents>;
  readonly resources: ReadonlyMap<string, Resource>;
  readonly sendsHostCredentials: boolean;
  readonly otherCredentials: readonly OtherCredential[];
  readonly #undocumented: ReadonlySet<string>;
  readonly #consumers = new Map<string, Map<string, string>>();
  readonly #byVariable = new Map<string, Resource>();
  readonly #byCreation = new Map<string, Resource>();

  constructor({ operations, consumers, sendsHostCredentials = false, ...given }: PlanInput) {
    const resources = given.resources.map((one) => ({ ...one, name: spell(one.name) }));
    this.operations = new Map(operations.map((one) => [toKey(one.operation), one]));
    this.resources = new Map(resources.map((one) => [one.key, one]));
    this.sendsHostCredentials = sendsHostCredentials;
    this.otherCredentials = given.otherCredentials ?? [];
    this.#undocumented = new Set(given.undocumented?.map(toKey));
    for (const { operation, in: location, name, resource } of consumers) {
      const key = toKey(operation);
      const places = this.#consumers.get(key) ?? new Map<string, string>();
      this.#consumers.set(key, places.set(`${location} ${name}`, resource));
    }
    for (const resource of resources) {
      if (resource.source !== resource.key) continue;
      this.#byVariable.set(resource.variable, resource);
      const { create } = resource.operations;
      if (create && !this.#byCreation.has(toKey(create))) this.#byCreation.set(toKey(create), resource);
    }
  }

  isUndocumented(operation: OperationKey): boolean {
    return this.#undocumented.has(toKey(operation));
  }

  findResource = (key: string) => this.resources.get(key);

  /** The resource whose identifier a variable has. */
  ofVariable(variable: string): Resource | undefined {
    return this.#byVariable.get(variable);
  }

  variablesOf(operation: OperationKey): FindVariable {
    const places = this.#consumers.get(toKey(operation));
    return (location, name) => this.resources.get(places?.get(`${location} ${name}`) ?? "")?.variable;
  }

  /** The resources whose identifiers the parameters of a path are; undefined for another parameter. */
  resourcesInPath(operation: OperationKey): (Resource | undefined)[] {
    const find = this.variablesOf(operation);
    return [...operation.path.matchAll(/\{([^{}]+)\}/g)].map(([, name]) => {
      const variable = find("path", name!);
      return variable === undefined ? undefined : this.ofVariable(variable);
    });
  }

  /** Whether the last parameter of a path identifies something of its own, rather than one from elsewhere. */
  isOwnItem({ path }: OperationKey): boolean {
    const item = path.slice(0, path.lastIndexOf("}") + 1).replace(/\{[^{}]*\}/g, "{}");
    const resource = this.resources.get(item);
    return resource === undefined || resource.source === resource.key;
  }

  /** What an operation makes, in words. */
  thingOf(operation: OperationKey): string | undefined {
    return this.#byCreation.get(toKey(operation))?.name;
  }

  /** The member of a creation's body by which its client identifies what is made. */
  findChosen(operation: OperationKey): { member: string; variable: string } | undefined {
    const resource = this.#byCreation.get(toKey(operation));
    const producer = resource && this.producerOf(resource, operation);
    const member = producer?.from === "sent" ? lastName(producer.path) : undefined;
    return resource && member !== undefined ? { member, variable: resource.variable } : undefined;
  }

  /** The top-level member of a body that takes the identifier of a resource. */
  bodyMemberOf(operation: OperationKey, { key }: Resource): string | undefined {
    const places = this.#consumers.get(toKey(operation)) ?? new Map<string, string>();
    for (const [place, resource] of places) {
      const [, member] = /^body \/([^/]+)$/.exec(place) ?? [];
      if (member !== undefined && resource === key) return member.replaceAll("~1", "/").replaceAll("~0", "~");
    }
    return undefined;
  }

  /** How the success of an operation identifies a new one. */
  producerOf({ key, source, producers }: Resource, operation: OperationKey): Producer | undefined {
    const all = source === key ? producers : (this.resources.get(source)?.producers ?? []);
    return all.find((one) => toKey(one.operation) === toKey(operation));
  }
}

/** `id` of `$.book.id` */
export function lastName(jsonPath: string): string | undefined {
  return /(?:\.|\[')([^.[\]']+)(?:'\])?$/.exec(jsonPath)?.[1];
}

/** Operations that a plan needs to know, and whose descriptions or needs are not given. */
export function listMissing({ wanted, operations, resources }: PlanInput): OperationKey[] {
  const known = new Set(operations.map((one) => toKey(one.operation)));
  const needed = resources.flatMap((one) => [
    ...Object.values(one.operations),
    ...one.producers.map(({ operation }) => operation),
  ]);
  const missing = new Map([...wanted, ...needed].map((one) => [toKey(one), one]));
  for (const key of known) missing.delete(key);
  return [...missing.values()];
}
