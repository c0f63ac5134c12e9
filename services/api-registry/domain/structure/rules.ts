import type { Rule } from "./rule.ts";
import { validateExamples, validateLink, validateMediaType, validateXml } from "./rules-of-content.ts";
import { validateOperation, validatePathItem, validateResponses } from "./rules-of-operations.ts";
import { validateHeader, validateParameter, validateParameterList } from "./rules-of-parameters.ts";
import {
  validateFlow,
  validateLicense,
  validateScheme,
  validateServer,
  validateServerVariable,
} from "./rules-of-servers.ts";

/** Rules of the standard beyond the fields of an object, by kind of object. */
export const rulesOfKinds: Record<string, Rule> = {
  license: validateLicense,
  server: validateServer,
  serverVariable: validateServerVariable,
  securityScheme: validateScheme,
  flow: validateFlow,
  parameter: validateParameter,
  header: validateHeader,
  mediaType: validateMediaType,
  example: validateExamples,
  link: validateLink,
  pathItem(value, location, walk) {
    validateParameterList(value.parameters, location, walk);
    validatePathItem(value, location, walk);
  },
  operation(value, location, walk) {
    validateParameterList(value.parameters, location, walk);
    validateOperation(value, location, walk);
  },
  responses: validateResponses,
  xml: validateXml,
};
