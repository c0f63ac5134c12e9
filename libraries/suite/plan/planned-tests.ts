import type { OperationWithComponents } from "#contracts/api-registry/operations.ts";
import type { OperationKey, Producer, Resource } from "#contracts/api-registry/resources.ts";
import type { Assertion } from "#contracts/test-registry/assertions.ts";
import type { Capture, TestInput } from "#contracts/test-registry/tests.ts";
import { ValueChecker } from "#libraries/openapi/sample/value-checker.ts";
import { listInstances } from "../suggestion/body-placeholders.ts";
import { type Calls, onlyUsed, type PlannedCall } from "./calls.ts";
import { assertEchoes } from "./echoes.ts";
import { type Known, lastName, toKey } from "./known.ts";
import { findReturnedObject, pathTo, returnsList } from "./objects.ts";
import type { Supplies, Supply } from "./supplies.ts";
import { capital, toPlural, withArticle } from "./words.ts";

/** A test of a plan, and what its circle has to give it. */
export interface Draft {
  key: string;
  operation: OperationKey;
  test: TestInput;
  resources: Resource[];
  /** Variables that a person has to give. */
  asks: string[];
  generated: ReadonlyMap<string, string>;
  /** Its JSON body's value. */
  sent: unknown;
}

/** The last segment of an address. */
const lastSegment = "([^/?#]+)/?(?:[?#].*)?$";

/** Positions in a list whose members are read. More would be many requests for little that is new. */
const ordinals = ["first", "second", "third", "fourth", "fifth"];

/** Writes the tests of a plan; those of several circles once. */
export class PlannedTests {
  readonly #drafts = new Map<string, Draft>();

  constructor(
    private readonly known: Known,
    private readonly supplies: Supplies,
  ) {}

  get calls(): Calls {
    return this.supplies.calls;
  }

  create({ resource, operation, call, producer }: Supply): Draft {
    const chosen = producer.from === "sent" ? { [resource.variable]: this.#choose(resource, call) } : {};
    return this.#draft("create", operation, call, {
      own: resource,
      generated: new Map([...call.generated, ...Object.entries(chosen)]),
      changes: { name: `Create ${withArticle(resource.name)}`, captures: captureMade(producer, resource.variable) },
    });
  }

  /** Reads the identifier of one that is there, or of several that are read. */
  take({ resource, operation, call, producer }: Supply): Draft {
    const captures = this.#nameTaken(resource).map((name, index): Capture => {
      const last = producer.path.replace(/\[\*\](?!.*\[\*\])/, `[${index}]`);
      return { name, source: "jsonPath", property: last.replaceAll("[*]", "[0]"), optional: true };
    });
    const verb = producer.many ? `List ${toPlural(resource.name)}` : `Find ${withArticle(resource.name)}`;
    return this.#draft(`take ${resource.key}`, operation, call, { changes: { name: verb, captures } });
  }

  /** @param made what its creation or change sent; undefined for one that was there before */
  read(
    resource: Resource,
    operation: OperationKey,
    made?: { by: Draft; maker: Supply; change?: string },
  ): Draft | undefined {
    const call = this.calls.find(operation);
    if (!call) return undefined;
    const { name } = resource;
    if (!made) {
      const [first, ...others] = this.#nameTaken(resource);
      const rows = [first!, ...others].map((taken, index) => ({
        case: `${ordinals[index]} of the list`,
        [resource.variable]: `{{${taken}}}`,
      }));
      const data = others.length > 0 ? { data: rows } : {};
      return this.#draft("read", operation, call, { changes: { name: `Read ${withArticle(name)}`, ...data } });
    }
    const words = made.change ? `Read the ${made.change} ${name}` : `Read the new ${name}`;
    const assertions = [
      ...call.test.assertions,
      ...this.#assertIdentity(resource, operation, made.maker),
      ...assertEchoes(this.#describe(made.by.operation), made.by.sent, this.#describe(operation)),
    ];
    const generated = new Map([...call.generated, ...made.by.generated]);
    const changes = { name: words, assertions: unique(assertions) };
    return this.#draft(`read ${made.change ?? "new"}`, operation, call, { own: resource, changes, generated });
  }

  /** Expects a new one in a list. */
  findInList(resource: Resource, { operation, path }: Producer): Draft | undefined {
    const call = this.calls.find(operation);
    const target = `{{${resource.variable}}}`;
    const assertion: Assertion = { source: "jsonPath", property: path, comparison: "contains", target };
    const name = `Find the new ${resource.name} in the list`;
    return (
      call &&
      this.#draft("in list", operation, call, {
        own: resource,
        changes: { name, assertions: [...call.test.assertions, assertion] },
      })
    );
  }

  findGone(resource: Resource, operation: OperationKey): Draft | undefined {
    const call = this.calls.find(operation);
    if (!call) return undefined;
    const assertions: Assertion[] = [{ source: "statusCode", comparison: "oneOf", target: [404, 410] }];
    // A document that names no 404 is not at fault for it.
    const checks = documentsNotFound(this.#describe(operation)) ? call.test.checks : ["not_a_server_error" as const];
    const changes = { name: `Check that the ${resource.name} no longer exists`, assertions, checks };
    return this.#draft("gone", operation, call, { own: resource, changes });
  }

  /** @param mayBeGone whether what used it may have removed it */
  remove(resource: Resource, operation: OperationKey, mayBeGone = false): Draft | undefined {
    const call = this.calls.find(operation);
    if (!call) return undefined;
    const name = `Delete the ${resource.name}`;
    if (!mayBeGone) return this.#draft("remove", operation, call, { own: resource, changes: { name } });
    const assertions = call.test.assertions.map((one): Assertion => {
      if (one.source !== "statusCode") return one;
      return { ...one, comparison: "oneOf", target: [...[one.target].flat(), 404, 410] } as Assertion;
    });
    const changes = { name: `${name} if it is still there`, assertions, checks: ["not_a_server_error" as const] };
    return this.#draft("clean up", operation, call, { own: resource, changes });
  }

  /** A valid call as it is, or with these changes; `own` is what its circle makes. */
  call(
    operation: OperationKey,
    { kind = "call", own, sent, generated, ...changes }: CallParts = {},
  ): Draft | undefined {
    const call = this.calls.find(operation);
    const parts = { own, generated, changes };
    return call && this.#draft(kind, operation, sent === undefined ? call : { ...call, sent }, parts);
  }

  /** Expects that one that does not exist is not found, where the document says so. */
  findUnknown(resource: Resource, operation: OperationKey): Draft | undefined {
    const call = this.calls.find(operation);
    const described = this.#describe(operation);
    const own = `{{${resource.variable}}}`;
    if (
      !call ||
      !documentsNotFound(described) ||
      !call.test.request.pathParameters.some(({ value }) => value === own)
    ) {
      return undefined;
    }
    const value = this.#proposeIdentifier(resource, operation);
    if (value === undefined || returnsList(described)) return undefined;
    const pathParameters = call.test.request.pathParameters.map((one) => (one.value === own ? { ...one, value } : one));
    return this.#draft("unknown", operation, call, {
      own: resource,
      changes: {
        name: `Find no ${resource.name} that does not exist`,
        request: { ...call.test.request, pathParameters },
        assertions: [{ source: "statusCode", comparison: "oneOf", target: [404, 410] }],
      },
    });
  }

  #draft(
    kind: string,
    operation: OperationKey,
    call: PlannedCall,
    parts: {
      own?: Resource | undefined;
      generated?: ReadonlyMap<string, string> | undefined;
      changes?: Partial<TestInput>;
    },
  ): Draft {
    const key = `${kind} ${toKey(operation)}`;
    const before = this.#drafts.get(key);
    if (before) return before;
    const { resources, asks } = this.supplies.needsOf(call, parts.own);
    const test = { ...call.test, ...parts.changes };
    const draft: Draft = {
      ...{ key, operation, asks, sent: call.sent, test },
      resources,
      generated: onlyUsed(parts.generated ?? call.generated, test),
    };
    this.#drafts.set(key, draft);
    return draft;
  }

  #describe(operation: OperationKey) {
    return this.known.operations.get(toKey(operation))!;
  }

  /** The response's identifier is the one that was made. */
  #assertIdentity(resource: Resource, operation: OperationKey, { producer }: Supply): Assertion[] {
    const last = lastName(producer.path) ?? resource.parameter;
    const object = findReturnedObject(this.#describe(operation), [last]);
    if (!object) return [];
    const target = `{{${resource.variable}}}`;
    return [{ source: "jsonPath", property: pathTo(object, last), comparison: "equals", target }];
  }

  /** Variables for what a list gives: several identifiers of a resource that no run creates, if one can be read by them. */
  #nameTaken(resource: Resource): string[] {
    const { variable, operations } = resource;
    const supply = this.supplies.find(resource);
    const isRead = supply?.kind === "take" && supply.producer.many && operations.read && !operations.create;
    return isRead ? [variable, ...ordinals.slice(1).map((word) => `${word}${capital(variable)}`)] : [variable];
  }

  /** A template for an identifier that clients choose. */
  #choose(resource: Resource, call: PlannedCall): string {
    const { read, remove, create } = resource.operations;
    const known = call.generated.get(resource.variable);
    return known ?? this.#proposeIdentifier(resource, read ?? remove ?? create) ?? "{{$uuid}}";
  }

  /** An identifier that nothing has yet, as its path parameter's schema allows. */
  #proposeIdentifier({ parameter }: Resource, operation: OperationKey | undefined): string | undefined {
    const described = operation && this.known.operations.get(toKey(operation));
    const schema = described?.operation.parameters.find((one) => one.in === "path" && one.name === parameter)?.schema;
    const checker = new ValueChecker("request", { find: (name) => described?.components[name] });
    const templates = ["{{$uuid}}", "test-{{$uuid}}", "{{$timestamp}}", "{{$randomInt}}"];
    const allows = (template: string) =>
      listInstances(template).every((text) => checker.isValid(text, schema) || checker.isValid(Number(text), schema));
    return templates.find(allows);
  }
}

type CallParts = Partial<TestInput> &
  Partial<Pick<Draft, "sent" | "generated">> & { kind?: string; own?: Resource | undefined };

const documentsNotFound = ({ operation }: OperationWithComponents) =>
  operation.responses.some(({ status }) => /^(404|410|4xx)$/i.test(status));

function captureMade({ from, path }: Producer, name: string): Capture[] {
  if (from === "sent") return [];
  if (from === "location") return [{ name, source: "header", property: "Location", pattern: lastSegment }];
  return [{ name, source: "jsonPath", property: path }];
}

function unique(assertions: Assertion[]): Assertion[] {
  const known = new Map(assertions.map((one) => [`${one.source} ${one.property ?? ""}`, one]));
  return [...known.values()];
}
