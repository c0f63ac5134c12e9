import type { MetaFunction } from "@remix-run/node";
import { LinkButton } from "~/ui/button/button";
import { Column, Stack } from "~/ui/layout/layout";

export const meta: MetaFunction = () => [{ title: "API Assurance" }];

export default function Home() {
  return (
    <Column width="page">
      <Stack gap="large">
        <h1>Know that your APIs keep their promises</h1>
        <p>Register an API from its OpenAPI document, get tests for its operations, and see what failed and why.</p>
        <LinkButton href="/login" variant="primary">
          Login
        </LinkButton>
      </Stack>
    </Column>
  );
}
