import type { Direction } from "../sample/sample-source.ts";

/**
 * What a change does to the values that a schema allows: `narrowed` refuses some that were allowed, `widened` allows
 * some that were refused, `changed` may do both. A request breaks where values are refused that a client sends, a
 * response where values come that a client has not seen.
 */
export type Effect = "narrowed" | "widened" | "changed";

const schemaEffects = {
  type: ["narrowed", "widened", "changed"],
  format: ["narrowed", "widened", "changed"],
  enum: ["narrowed", "widened"],
  bound: ["narrowed", "widened"],
  "multiple-of": ["narrowed", "widened", "changed"],
  pattern: ["narrowed", "widened", "changed"],
  "unique-items": ["narrowed", "widened"],
  contains: ["narrowed", "widened", "changed"],
  required: ["narrowed", "widened"],
  "additional-properties": ["narrowed", "widened"],
  "pattern-properties": ["narrowed", "widened", "changed"],
  "dependent-required": ["narrowed", "widened"],
  alternatives: ["narrowed", "widened"],
  not: ["narrowed", "widened", "changed"],
  condition: ["narrowed", "widened", "changed"],
  discriminator: ["narrowed", "widened", "changed"],
  /** A word of which nothing is known, or whose effect can't be decided. */
  other: ["changed"],
} as const satisfies Record<string, readonly Effect[]>;

export type SchemaWord = keyof typeof schemaEffects;
type SchemaRule = {
  [Word in SchemaWord]: `${Direction}.${Word}.${(typeof schemaEffects)[Word][number]}`;
}[SchemaWord];

/** Rules that are not of a schema's words; true where clients may break. */
const ownRules = {
  "operation.added": false,
  "operation.removed": true,
  "operation.moved": false,
  "operation.parameter-renamed": false,
  "operation.deprecated": false,
  "operation.undeprecated": false,
  "operation.id-changed": false,
  "operation.texts": false,
  "servers.added": false,
  "servers.removed": true,
  "servers.reordered": false,
  "servers.variable-narrowed": true,
  "servers.variable-changed": false,
  "parameter.added": false,
  "parameter.added-required": true,
  "parameter.removed": true,
  "parameter.required": true,
  "parameter.optional": false,
  "parameter.serialization-changed": true,
  "parameter.reserved-refused": true,
  "parameter.reserved-allowed": false,
  "parameter.empty-refused": true,
  "parameter.empty-allowed": false,
  "parameter.deprecated": false,
  "body.added": false,
  "body.added-required": true,
  "body.removed": true,
  "body.required": true,
  "body.optional": false,
  "request.media-type.added": false,
  "request.media-type.removed": true,
  "request.media-type.narrowed": true,
  "request.media-type.widened": false,
  "response.media-type.added": false,
  "response.media-type.removed": true,
  "response.media-type.narrowed": false,
  "response.media-type.widened": true,
  "request.encoding.changed": true,
  "request.encoding.type-narrowed": true,
  "request.encoding.type-widened": false,
  "request.encoding.header-required": true,
  "response.encoding.changed": true,
  "response.added": false,
  "response.removed": true,
  "response.covered": false,
  "response.header.added": false,
  "response.header.removed": true,
  "response.header.required": false,
  "response.header.optional": true,
  "response.header.serialization-changed": true,
  "link.added": false,
  "link.removed": true,
  "link.changed": true,
  "security.required": true,
  "security.none": false,
  "security.narrowed": true,
  "security.widened": false,
  "security.scheme-changed": true,
  "security.scheme-extended": false,
  "callback.added": false,
  "callback.removed": true,
  "callback.parameter.added": false,
  "callback.parameter.removed": true,
  "callback.parameter.optional": true,
  "callback.parameter.required": false,
  "callback.parameter.serialization-changed": true,
  "callback.body.added": false,
  "callback.body.removed": true,
  "callback.body.optional": true,
  "callback.body.required": false,
  "callback.response.added": false,
  "callback.response.removed": true,
  "webhook.added": false,
  "webhook.removed": true,
  "request.property.added": false,
  "request.property.added-required": true,
  "request.property.removed-open": false,
  "request.property.removed-closed": true,
  "request.property.read-only": true,
  "response.property.added": false,
  "response.property.added-closed": true,
  "response.property.removed": true,
  "response.property.write-only": true,
  "request.default.added": false,
  "request.default.changed": true,
  "response.default.added": false,
  "response.default.changed": true,
  "request.value.deprecated": false,
  "response.value.deprecated": false,
} as const satisfies Record<string, boolean>;

/** The stable key of a rule, such as `request.property.removed-closed`. */
export type Rule = keyof typeof ownRules | SchemaRule;

export function toSchemaRule(direction: Direction, word: SchemaWord, effect: Effect): Rule {
  return `${direction}.${word}.${effect}` as Rule;
}

const breakingRules = new Map<string, boolean>(Object.entries(ownRules));
for (const [word, effects] of Object.entries(schemaEffects)) {
  for (const effect of effects) {
    breakingRules.set(`request.${word}.${effect}`, effect !== "widened");
    breakingRules.set(`response.${word}.${effect}`, effect !== "narrowed");
  }
}

/** Whether a change by this rule may break clients. What can't be decided may. */
export function isBreaking(rule: Rule): boolean {
  return breakingRules.get(rule)!;
}

export function listRules(): Rule[] {
  return [...breakingRules.keys()] as Rule[];
}
