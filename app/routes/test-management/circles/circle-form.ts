import { z } from "zod";
import { listPlaces, placeRules } from "#contracts/test-registry/circle-places.ts";
import { type Circle, type CircleInput, circleInput, circleVariable } from "#contracts/test-registry/circles.ts";
import { notChosen } from "~/features/locations/location-field";
import { fromPortal } from "~/features/locations/run-from";
import {
  secretVariableRows,
  toSecretField,
  toSecretRow,
  toSecretVariable,
} from "~/features/variables/secret-variable-form";

const { name, description, order, stopOnFailure } = circleInput.shape;
const variableName = circleVariable.shape.name;
const isPlace = (value: string) => value === fromPortal || z.uuid().safeParse(value).success;

/** The fields of a circle's form other than members and environments. Secret variables are separate, since they are never displayed. */
export const circleForm = z.object({
  name: z.string("Give the circle a name").pipe(name),
  description: z.string().optional().pipe(description),
  order,
  concurrency: z
    .number("Enter a number")
    .int("Enter a whole number")
    .min(1, "At least 1")
    .max(100, "At most 100")
    .default(10),
  stopOnFailure,
  cookies: z.boolean().default(false),
  onlyOwn: z.boolean().default(false),
  locationId: z.string().optional(),
  // An error belongs to the group: its single choices have no space for one.
  places: z
    .array(z.string())
    .refine((places) => places.every(isPlace), "Choose from these places")
    .default([]),
  placeRule: z.enum(placeRules).default("any"),
  placeMinimum: z.number("Enter a number").int("Enter a whole number").optional(),
  variables: z
    .array(z.object({ name: z.string("Give it a name").pipe(variableName), value: z.string().default("") }))
    .default([]),
  secrets: secretVariableRows(variableName),
});
export type CircleFormValue = z.output<typeof circleForm>;

/** An environment's field: its name contains the API. */
export const environmentField = (apiId: string) => `environment-${apiId}`;

/** The request to the service. */
export function toInput(form: CircleFormValue, rest: Pick<CircleInput, "members" | "environments">): CircleInput {
  const { variables, secrets, locationId, places, placeRule, placeMinimum, ...ways } = form;
  return {
    ...ways,
    ...rest,
    ...toPlaces({ locationId, places, placeRule, placeMinimum }),
    variables: [
      ...variables.map((variable) => ({ ...variable, secret: false })),
      ...secrets.map((row) => ({ ...toSecretVariable(row), secret: true })),
    ],
  };
}

/** The value of the choice that the places below belong to. */
export const severalPlaces = "several";

/** Nothing for a form that had no such choice: what is stored stays. */
function toPlaces({
  locationId,
  places,
  placeRule,
  placeMinimum,
}: Pick<CircleFormValue, "locationId" | "places" | "placeRule" | "placeMinimum">): Pick<
  CircleInput,
  "locationId" | "places"
> {
  if (locationId === undefined) return {};
  if (locationId !== severalPlaces) return { locationId: locationId === notChosen ? null : locationId, places: null };
  const minimum = placeRule === "atLeast" && placeMinimum !== undefined ? { minimum: placeMinimum } : {};
  const locationIds = places.filter((place) => place !== fromPortal);
  return {
    locationId: null,
    places: { portal: places.includes(fromPortal), locationIds, rule: placeRule, ...minimum },
  };
}

/** The form's values for a stored circle. */
export function toForm(circle: Circle) {
  const { name, description, order, concurrency, stopOnFailure, cookies, onlyOwn, locationId, places, variables } =
    circle;
  return {
    ...{ name, description, order, concurrency: String(concurrency), stopOnFailure: stopOnFailure ? "on" : undefined },
    cookies: cookies ? "on" : undefined,
    onlyOwn: onlyOwn ? "on" : undefined,
    locationId: places ? severalPlaces : (locationId ?? notChosen),
    places: places ? listPlaces(places).map((id) => id ?? fromPortal) : ([] as string[]),
    placeRule: (places?.rule ?? "any") as string,
    placeMinimum: String(places?.minimum ?? ""),
    variables: variables.filter(({ secret }) => !secret).map(({ name, value }) => ({ name, value: value ?? "" })),
    secrets: variables.filter(({ secret }) => secret).map(toSecretRow),
  };
}

/** The form's field for a path of the service such as `variables[3].name`. */
export function toField(path: string, { variables }: Pick<CircleFormValue, "variables">): string {
  if (path === "places.minimum") return "placeMinimum";
  if (path.startsWith("places")) return "places";
  const [, index, rest] = /^variables\[(\d+)\](.*)$/.exec(path) ?? [];
  if (index === undefined) return path.startsWith("members") && !path.endsWith(".effect") ? "members" : path;
  const beyond = Number(index) - variables.length;
  if (beyond < 0) return path;
  return `secrets[${beyond}]${toSecretField(rest ?? "")}`;
}
