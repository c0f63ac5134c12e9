import { z } from "@hono/zod-openapi";
import { displayName } from "../kit/display-name.ts";
import { endpoint } from "../kit/endpoint.ts";
import { subscriptionsTag as tag } from "./subscriptions.ts";

export const addressFields = [
  "organization",
  "name",
  "street",
  "district",
  "city",
  "area",
  "postalCode",
  "sortingCode",
] as const;
export type AddressField = (typeof addressFields)[number];

const line = (max: number) => z.string().trim().max(max).optional();
const name = displayName(z.string().trim().max(200)).optional();

const fields = {
  country: z
    .string()
    .regex(/^[A-Z]{2}$/, "Choose a country")
    .describe("ISO 3166, two capitals.")
    .openapi({ example: "IE" }),
  organization: name.openapi({ example: "Books Ltd" }),
  name: name.describe("Contact person or department."),
  street: line(500).describe("May have several lines.").openapi({ example: "1 Main Street" }),
  district: line(200),
  city: line(200).openapi({ example: "Dublin" }),
  area: line(200).describe("One of the country's `choices`, if it has any.").openapi({ example: "Co. Dublin" }),
  postalCode: line(40).openapi({ example: "D02 AF30" }),
  sortingCode: line(40),
  vatId: line(40).describe("Printed on invoices; not validated."),
};
export const addressInput = z.object(fields).openapi("BillingAddress");

const address = z.object({
  ...fields,
  lines: z.array(z.string()).describe("In the postal format of its country, ending with the country's name."),
});

export const getBillingAddress = endpoint({
  method: "get",
  path: "/api/v1/billing-address",
  access: "billing:manage",
  tag,
  summary: "The billing address on the organization's invoices",
  description: "Null until it is set.",
  status: 200,
  response: z.object({ address: address.nullable() }),
});

export const putBillingAddress = endpoint({
  method: "put",
  path: "/api/v1/billing-address",
  access: "billing:manage",
  audit: "billing-address",
  tag,
  summary: "Sets the billing address on the organization's invoices",
  description: "Validated by the rules of its country. Fields that the country does not have are dropped.",
  body: addressInput,
  status: 200,
  response: z.object({ address }),
});

const choice = z.object({ value: z.string(), label: z.string() });

export const getCountryMetadata = endpoint({
  method: "get",
  path: "/api/v1/countries/{code}/metadata",
  access: "signed-in",
  tag,
  summary: "Address fields of a country",
  description: "In the order and under the names customary in that country.",
  params: z.object({
    code: z
      .string()
      .regex(/^[A-Za-z]{2}$/)
      .describe("ISO 3166, two letters.")
      .openapi({ example: "IE" }),
  }),
  status: 200,
  response: z.object({
    code: z.string().openapi({ example: "IE" }),
    name: z.string().openapi({ example: "Ireland" }),
    fields: z.array(
      z.object({
        name: z.enum(addressFields),
        label: z.string().openapi({ example: "Eircode" }),
        required: z.boolean(),
        choices: z.array(choice).optional(),
        pattern: z.string().optional().describe("A regular expression that must match the whole value."),
        example: z.string().optional().openapi({ example: "A65 F4E2" }),
      }),
    ),
  }),
});

export const listCountries = endpoint({
  method: "get",
  path: "/api/v1/countries",
  access: "signed-in",
  tag,
  summary: "Countries supported for addresses, by name",
  description: "Those with postal metadata.",
  status: 200,
  response: z.object({ items: z.array(z.object({ code: z.string(), name: z.string() })) }),
});
