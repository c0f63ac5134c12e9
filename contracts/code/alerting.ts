import { z } from "@hono/zod-openapi";
import { emailAddress } from "../security-service/account.ts";
import { alertChannelInput } from "../test-analyzer/alert-channels.ts";
import { alertPolicy } from "../test-analyzer/alert-rules.ts";
import { alertHeader } from "../test-analyzer/alert-templates.ts";
import { serviceLevelInput } from "../test-analyzer/service-levels.ts";
import { maxComponents, statusPageComponent, statusPageInput } from "../test-analyzer/status-pages.ts";
import { codeKey, secretReference } from "./references.ts";

const [mail, webhook, , , , , telegram, pagerDuty] = alertChannelInput.options;
const { name, enabled } = mail.shape;
const chat = { name, enabled, url: secretReference.describe("URL of the incoming webhook, which is a secret.") };

const webhookHeader = z.strictObject({
  name: alertHeader.shape.name,
  value: z
    .union([alertHeader.shape.value, secretReference])
    .describe("A header that carries a secret, such as `Authorization`, names it: `{ secret: TEAM_TOKEN }`."),
});

export const alertChannelCode = z
  .discriminatedUnion("kind", [
    z.strictObject({
      kind: z.literal("mail"),
      name,
      enabled,
      members: z.array(z.string().min(1).max(200)).max(100, "At most 100 members").default([]).describe("User names."),
      addresses: z.array(emailAddress).max(20, "At most 20 addresses").default([]),
    }),
    z.strictObject({
      ...{ kind: z.literal("webhook"), name, enabled, url: webhook.shape.url },
      template: webhook.shape.template,
      headers: z.array(webhookHeader).max(10, "At most 10 headers").default([]).describe("Additional headers."),
    }),
    z.strictObject({ kind: z.literal("slack"), ...chat }),
    z.strictObject({ kind: z.literal("teams"), ...chat }),
    z.strictObject({ kind: z.literal("discord"), ...chat }),
    z.strictObject({ kind: z.literal("googleChat"), ...chat }),
    z.strictObject({
      ...{ kind: z.literal("telegram"), name, enabled, url: telegram.shape.url, chatId: telegram.shape.chatId },
      botToken: secretReference,
    }),
    z.strictObject({
      ...{ kind: z.literal("pagerDuty"), name, enabled, url: pagerDuty.shape.url, routingKey: secretReference },
    }),
  ])
  .openapi("AlertChannelAsCode");
export type AlertChannelCode = z.infer<typeof alertChannelCode>;

/** An object's own scope can't be changed: another one is another object. */
export const alertScopeCode = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("organization") }),
  z.strictObject({ kind: z.literal("api"), api: codeKey }),
  z.strictObject({ kind: z.literal("circle"), circle: codeKey }),
]);

export const alertRuleCode = z
  .strictObject({
    ...alertPolicy.shape,
    scope: alertScopeCode,
    channels: z.array(codeKey).max(20, "At most 20 channels").default([]).describe("Keys of channels to notify."),
  })
  .openapi("AlertRuleAsCode");
export type AlertRuleCode = z.infer<typeof alertRuleCode>;

export const serviceLevelCode = z.strictObject(serviceLevelInput.shape).openapi("ServiceLevelAsCode");
export type ServiceLevelCode = z.infer<typeof serviceLevelCode>;

const { title, text, message, name: pageName, showsIncidents } = statusPageInput.shape;
export const statusPageCode = z
  .strictObject({
    ...{ title, text, message, name: pageName, showsIncidents },
    components: z
      .array(z.strictObject({ circle: codeKey, name: statusPageComponent.shape.name }))
      .max(maxComponents, `At most ${maxComponents}`)
      .default([])
      .describe("The circles it shows, in this order, under public names. Empty: only the circle that it belongs to."),
  })
  .openapi("StatusPageAsCode");
export type StatusPageCode = z.infer<typeof statusPageCode>;
