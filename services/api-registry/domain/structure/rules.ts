import type { JsonRecord } from "../../../kit/json/json-value.ts";
import type { Place } from "../findings.ts";
import type { Examiner } from "./examiner.ts";
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

export type Rule = (value: JsonRecord, place: Place, examiner: Examiner) => void;

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
  pathItem(value, place, examiner) {
    examineParameterList(value.parameters, place, examiner);
    examinePathItem(value, place, examiner);
  },
  operation(value, place, examiner) {
    examineParameterList(value.parameters, place, examiner);
    examineOperation(value, place, examiner);
  },
  responses: examineResponses,
};
