import type { Consumer, Resource } from "#contracts/api-registry/resources.ts";

/** Who gives what in an API. */
export interface SuiteGraph {
  /** In document order, outer ones before what they contain. */
  resources: Resource[];
  /** In document order. */
  consumers: Consumer[];
}
