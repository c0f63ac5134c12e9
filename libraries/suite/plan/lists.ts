import type { OperationParameter, OperationWithComponents } from "#contracts/api-registry/operations.ts";
import type { TestInput } from "#contracts/test-registry/tests.ts";
import { flattenSchema } from "#libraries/openapi/schema-parts.ts";
import { toPlain } from "../names.ts";
import type { PlannedCall } from "./calls.ts";

const sizes = /^(limit|pagesize|perpage|size|count|top|maxresults|maxitems|first|take|pagelimit)$/;
const places =
  /^(page|pagenumber|offset|skip|start|startafter|startat|cursor|after|before|continue|continuation|nexttoken|pagetoken|marker|startindex)$/;

/** Whether a list may have more than one page. */
export function comesInPages({ operation }: OperationWithComponents): boolean {
  return operation.parameters.some(({ name, in: location }) => {
    const plain = toPlain(name.split(/[[\].]/).findLast(Boolean) ?? name);
    return location === "query" && (sizes.test(plain) || places.test(plain));
  });
}

/** How a list is asked for a page. */
export interface Paging {
  size: OperationParameter;
  place: OperationParameter | undefined;
  /** The place counts items, not pages. */
  isOffset: boolean;
  /** Number of the first page or item. */
  first: number;
}

const pages = /^(page|pagenumber)$/;
const offsets = /^(offset|skip|start|startindex|startat)$/;

/** Undefined for a list whose pages have no size. */
export function findPaging({ operation, components }: OperationWithComponents): Paging | undefined {
  const find = (pattern: RegExp) =>
    operation.parameters.find(({ name, in: location }) => location === "query" && pattern.test(toPlain(name)));
  const size = find(sizes);
  if (!size) return undefined;
  const offset = find(offsets);
  const place = offset ?? find(pages);
  const { minimum, default: usual } = flattenSchema(place?.schema, { find: (name) => components[name] }) ?? {};
  const first = [usual, minimum].find((value) => typeof value === "number");
  return { size, place, isOffset: offset !== undefined, first: typeof first === "number" ? first : offset ? 0 : 1 };
}

/** The request for the largest page. */
export function askLargestPage(
  { operation, components }: OperationWithComponents,
  call: PlannedCall | undefined,
): Partial<Pick<TestInput, "request">> {
  const size = operation.parameters.find(({ name, in: location }) => location === "query" && sizes.test(toPlain(name)));
  if (!size || !call) return {};
  const schema = flattenSchema(size.schema, { find: (name) => components[name] });
  const { maximum } = schema ?? {};
  if (typeof maximum !== "number" || maximum < 1) return {};
  const rest = call.test.request.query.filter(({ name }) => name !== size.name);
  const query = [...rest, { name: size.name, value: String(Math.min(maximum, 100)), enabled: true }];
  return { request: { ...call.test.request, query } };
}
