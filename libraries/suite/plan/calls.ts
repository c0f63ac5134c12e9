import type { OperationWithComponents } from "#contracts/api-registry/operations.ts";
import type { OperationKey, Resource } from "#contracts/api-registry/resources.ts";
import type { TestInput } from "#contracts/test-registry/tests.ts";
import { isSafe } from "#libraries/openapi/safe-methods.ts";
import { listPlaceholders } from "#libraries/template/placeholders.ts";
import { splitName, toPlain, toSingular, toVariable, toWords } from "../names.ts";
import { getPathThing } from "../suggestion/member-words.ts";
import { type MadeCall, makeCall } from "../suggestion/valid-call.ts";
import { type Known, toKey } from "./known.ts";

/** A valid call of an operation, with the variables that a run generates for it. */
export interface PlannedCall extends MadeCall {
  /** Variable → template, such as `Book {{$uuid}}`. */
  generated: ReadonlyMap<string, string>;
}

/** The valid calls of a document's operations; each is made once. */
export class Calls {
  readonly #calls = new Map<string, PlannedCall | undefined>();
  readonly #templates = new Map<string, string>();

  /**
   * @param isSupplied whether a run can get the identifier of a resource
   * @param isSought whether that is being found out
   */
  constructor(
    private readonly known: Known,
    private readonly isSupplied: (resource: Resource) => boolean,
    private readonly isSought: (resource: Resource) => boolean,
  ) {}

  find(operation: OperationKey): PlannedCall | undefined {
    const key = toKey(operation);
    if (this.#calls.has(key)) return this.#calls.get(key);
    const described = this.known.operations.get(key);
    const call = described && this.#make(described);
    this.#calls.set(key, call);
    return call;
  }

  /** A variable with this template: the proposed one, or if another template has it with a number. */
  nameVariable(proposed: string, template: string): string {
    let name = proposed;
    for (let number = 2; (this.#templates.get(name) ?? template) !== template; number += 1) {
      name = `${proposed}${number}`;
    }
    this.#templates.set(name, template);
    return name;
  }

  #make(described: OperationWithComponents): PlannedCall {
    const { operation } = described;
    const generated = new Map<string, string>();
    const findVariable = this.known.variablesOf(operation);
    const chosen = this.known.findChosen(operation);
    const thing = this.known.thingOf(operation) ?? getPathThing(operation.path);
    const call = makeCall(described, {
      sendsHostCredentials: this.known.sendsHostCredentials,
      findVariable,
      run: {
        makes: this.known.thingOf(operation) !== undefined,
        findSupplied: (location, name) => {
          const variable = findVariable(location, name);
          const resource = variable === undefined ? undefined : this.known.ofVariable(variable);
          if (!resource) return undefined;
          const isNeeded = location === "path" && (this.isSought(resource) || !hasExample(described, name));
          return isNeeded || this.isSupplied(resource) ? variable : undefined;
        },
        isChosen: (names) => names.length === 1 && names[0] === chosen?.member,
        nameUnique: (names, template) => {
          const isChosen = names.length === 1 && names[0] === chosen?.member;
          const proposed = isChosen ? chosen!.variable : toNewName(thing, names);
          const name = this.nameVariable(proposed, template);
          generated.set(name, template);
          return name;
        },
      },
    });
    return { ...call, generated: onlyUsed(generated, call.test) };
  }
}

/**
 * Whether the document names one that may exist on its server: to read it, that is better than nothing. What is changed
 * has to be the run's own, and what was generated is the document's only.
 */
function hasExample({ operation }: OperationWithComponents, name: string): boolean {
  const parameter = operation.parameters.find((one) => one.in === "path" && one.name === name);
  // A UUID, a hash, a token.
  const isGenerated = /^[\w-]{24,}$/.test(String(parameter?.sample)) || /token/i.test(name);
  return isSafe(operation.method) && parameter !== undefined && parameter.examples.length > 0 && !isGenerated;
}

/** Samples of what is not sent have names, too. */
export function onlyUsed(variables: ReadonlyMap<string, string>, test: TestInput): Map<string, string> {
  const used = new Set(listPlaceholders(JSON.stringify(test)));
  return new Map([...variables].filter(([name]) => used.has(name)));
}

/** `bookTitle` for the member `title` of a new book, `authorName` for its `author.name`. */
export function toNewName(thing: string, names: readonly string[]): string {
  const words = toWords(toSingular(names.at(-2) ?? thing));
  const member = names.at(-1) ?? "";
  const own = words.join("");
  const isNamed = own !== "" && (toPlain(member).startsWith(own) || splitName(member).thing === own);
  return toVariable(isNamed ? toWords(member) : [...words, ...toWords(member)]);
}
