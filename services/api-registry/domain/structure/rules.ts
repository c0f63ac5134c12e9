import type { Rule } from "./rule.ts";
import { examineExamples, examineLink, examineMediaType } from "./rules-of-content.ts";
import { examineOperation, examinePathItem, examineResponses } from "./rules-of-operations.ts";
import { examineHeader, examineParameter, examineParameterList } from "./rules-of-parameters.ts";
import {
  examineFlow,
  examineLicense,
  examineScheme,
  examineServer,
  examineServerVariable,
} from "./rules-of-servers.ts";

/** Rules of the standard beyond the fields of an object, by kind of object. */
export const rulesOfKinds: Record<string, Rule> = {
  license: examineLicense,
  server: examineServer,
  serverVariable: examineServerVariable,
  securityScheme: examineScheme,
  flow: examineFlow,
  parameter: examineParameter,
  header: examineHeader,
  mediaType: examineMediaType,
  example: examineExamples,
  link: examineLink,
  pathItem(value, place, walk) {
    examineParameterList(value.parameters, place, walk);
    examinePathItem(value, place, walk);
  },
  operation(value, place, walk) {
    examineParameterList(value.parameters, place, walk);
    examineOperation(value, place, walk);
  },
  responses: examineResponses,
};
