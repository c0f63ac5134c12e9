import type { JsonNode } from "./json-node";

/** The pointer of a child, with `~` and `/` in its name escaped (RFC 6901). */
export function childPointer(parent: string, name: string | number): string {
  return `${parent}/${String(name).replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

/** A pointer and all its ancestors, the root (`""`) first. */
export function pointersTo(pointer: string): string[] {
  const steps = pointer.split("/").slice(1);
  return ["", ...steps.map((_, index) => `/${steps.slice(0, index + 1).join("/")}`)];
}

/** The pointer itself if it has a target, else its nearest ancestor with one: the parent of a missing member. */
export function nearestPointer(root: JsonNode, pointer: string): string {
  let node: JsonNode | undefined = root;
  let reached = "";
  for (const step of pointer.split("/").slice(1)) {
    node = node && getChild(node, step.replaceAll("~1", "/").replaceAll("~0", "~"));
    if (!node) break;
    reached += `/${step}`;
  }
  return reached;
}

function getChild(node: JsonNode, name: string): JsonNode | undefined {
  if (node.kind === "object") return node.members.findLast((member) => member.key === name)?.node;
  if (node.kind === "array") return /^(0|[1-9]\d*)$/.test(name) ? node.items[Number(name)] : undefined;
  return undefined;
}
