import type { AlertMessage } from "#contracts/test-analyzer/alert-messages.ts";
import {
  type TemplateValueName,
  templateValueNames,
  templateValues,
} from "#contracts/test-analyzer/template-values.ts";
import type { TemplateValue } from "#libraries/template/body-template.ts";
import { describeMessage, incidentHref, runHref, writeSubject } from "./words.ts";
import { webhookTypes } from "./written.ts";

type Values = Record<TemplateValueName, TemplateValue>;

/** The values for a template. Those of a test message are examples, so that its receiver sees what an alert has. */
export function getTemplateValues(message: AlertMessage, origin: string): Values {
  const [incident] = message.incidents;
  const paragraphs = describeMessage(message, origin);
  const shared = {
    type: webhookTypes[message.kind],
    title: writeSubject(message),
    text: paragraphs.flatMap(({ lines }) => lines).join("\n"),
    time: message.at,
    severity: message.severity,
    link: paragraphs.flatMap(({ links }) => links)[0]?.href ?? origin,
  };
  if (message.kind === "test") return { ...getExamples(), ...shared };
  return { ...getNulls(), ...shared, ...(incident ? getIncidentValues(incident, origin) : {}) };
}

function getIncidentValues(incident: AlertMessage["incidents"][number], origin: string): Partial<Values> {
  const [test] = incident.tests;
  return {
    "incident.id": incident.id,
    "incident.title": incident.title,
    "incident.cause": incident.cause.kind,
    "incident.causeKey": incident.causeKey ?? incident.id,
    "incident.host": "host" in incident.cause ? incident.cause.host : null,
    "incident.reason": incident.reason,
    "incident.since": incident.since,
    "incident.resolvedAt": incident.resolvedAt,
    "incident.failing": incident.failing,
    "incident.link": incidentHref(origin, incident),
    "incident.runLink": incident.runId === null ? null : runHref(origin, { ...incident, runId: incident.runId }),
    "test.name": test?.name ?? null,
    "test.method": test?.method.toUpperCase() ?? null,
    "test.path": test?.path ?? null,
    "test.api": test?.apiName ?? null,
    "test.circle": test?.testCircleName ?? null,
    "test.environment": test?.environment ?? null,
  };
}

const getExamples = () =>
  Object.fromEntries(templateValueNames.map((name) => [name, templateValues[name].example])) as Values;
const getNulls = () => Object.fromEntries(templateValueNames.map((name) => [name, null])) as Values;
